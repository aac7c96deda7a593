import type { Format } from "@millrace/contract";
import type { BidRequest, MediaType } from "@millrace/openrtb";

/** The formats a publisher sells, and by which floors and statistics are kept; not the standard's sizes of a banner. */
export type AdFormat = Format;

/** A publisher's floor: CPM in micro-dollars. An absent country or format means every one. */
export interface FloorRule {
  /** ISO 3166-1 alpha-2, as in `DeviceFacts.country`. */
  country?: string;
  format?: AdFormat;
  floorMicros: number;
}

/** What the publisher had set for the app when the auction was held. */
export interface AppSnapshot {
  id: string;
  live: boolean;
  /** IAB categories; a category also blocks its subcategories. */
  blockedCategories: readonly string[];
  /** Advertiser domains; a domain also blocks its subdomains. */
  blockedAdvertisers: readonly string[];
  floors: readonly FloorRule[];
  /** The app is made for children: the request is treated as `regs.coppa = 1`. */
  childDirected: boolean;
}

/** Facts of the device that rules read; what is unknown is null. */
export interface DeviceFacts {
  country: string | null;
  platform: string | null;
  osVersion: string | null;
  network: "wifi" | "cellular" | "ethernet" | null;
}

/** Consent as decoded from the request's strings. */
export interface Consent {
  gdprApplies: boolean;
  /** IAB vendor ids of participants that may be asked under the consent string, ascending (see `sortVendorIds`). */
  vendorIds: readonly number[];
}

/** What some participants were not told of the person. The decision does not depend on it. */
export interface Redaction {
  participantIds: readonly string[];
  /** Codes of the privacy rules under which they were asked. */
  rules: readonly string[];
  /** The fields that these rules took out of the request or made less exact, as `device.ifa`. */
  removed: readonly string[];
}

/** A demand partner that is asked over the network. */
export interface BiddingParticipant {
  kind: "bidding";
  /** Unique in the auction. */
  id: string;
  name: string;
  mediaTypes: readonly MediaType[];
  /** Switched on by the operator and the publisher. */
  enabled: boolean;
  /** The publisher's keys are there. */
  hasKeys: boolean;
  /** The only imps for which there are keys, where keys differ by imp. Absent: all. */
  impIds?: readonly string[];
  /** IAB Global Vendor List id. */
  gvlId?: number;
  breaker: "closed" | "open" | "half_open";
  /** Currencies it bids in. */
  currencies: readonly string[];
  acceptsChildDirected: boolean;
}

/**
 * Whatever may win an imp. The union is open for `campaign`, `line` and `in-house`: each kind brings its own
 * eligibility and turns into a `Candidate`, which is all that ranking knows.
 */
export type Participant = BiddingParticipant;
export type ParticipantKind = Participant["kind"];

/** Everything a decision depends on. Recorded as it is in the trace. */
export interface AuctionInput {
  id: string;
  /** Start of the auction, epoch milliseconds. */
  at: number;
  /** Breaks ties. */
  seed: string;
  configVersion: string;
  deadlineMs: number;
  /** A validated request, without what names a person: no rule reads that, and a trace must not keep it. */
  request: BidRequest;
  app: AppSnapshot;
  device: DeviceFacts;
  consent: Consent;
  participants: readonly Participant[];
  /** Participants that are in none were told everything. */
  redactions?: readonly Redaction[];
  /** Formats by imp id, where the caller knows better than `formatOfImp`. */
  formats?: Record<string, AdFormat>;
  /** US dollars per one unit of a currency. USD is 1 whether named or not; a currency without a rate cannot be sold in. */
  ratesToUsd?: Record<string, number>;
}
