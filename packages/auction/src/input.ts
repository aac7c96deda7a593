import type { CampaignFormat, CampaignPlatform, Format } from "@millrace/contract";
import type { BidRequest, MediaType } from "@millrace/openrtb";
import type { GateReason } from "./reasons.ts";

/** The formats a publisher sells, for floors and statistics; not the standard's banner sizes. */
export type AdFormat = Format;

/** A publisher's floor: CPM in micro-dollars. An absent country or format means every one. */
export interface FloorRule {
  /** ISO 3166-1 alpha-2, as in `DeviceFacts.country`. */
  country?: string;
  format?: AdFormat;
  floorMicros: number;
}

/**
 * How an imp came to its floor where floors are automatic: `held` and `own` have the publisher's own, the former for ever, the
 * latter until automatic floors are proven; `shock` has one a step beside the learned one.
 */
export const FLOOR_ARMS = ["held", "own", "learned", "shock"] as const;
export type FloorArm = (typeof FLOOR_ARMS)[number];

/** What was drawn as an imp's floor, and how likely that was. */
export interface FloorDraw {
  impId: string;
  arm: FloorArm;
  /** CPM in micro-dollars, never below the publisher's own. */
  floorMicros: number;
  /** Of the scale of automatic floors; null for the publisher's own. */
  step: number | null;
  probability: number;
}

/** The publisher's settings of the app at the time of the auction. */
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

/** Device facts that rules read; null if unknown. */
export interface DeviceFacts {
  country: string | null;
  /** ISO 3166-2, as in `Targeting.regions`; null if unknown. Missing in traces from before regions were known. */
  region?: string | null;
  /** The part of the world, as in `BiddingParticipant.regions`; missing if the country is unknown. */
  worldRegion?: string;
  platform: string | null;
  osVersion: string | null;
  network: "wifi" | "cellular" | "ethernet" | null;
  /** Of campaigns' targeting; null for any other device. Missing in traces from before there were campaigns. */
  campaignPlatform?: CampaignPlatform | null;
}

/** Consent as decoded from the request's strings. */
export interface Consent {
  gdprApplies: boolean;
  /** IAB vendor ids of participants that may be asked under the consent string, ascending (see `sortVendorIds`). */
  vendorIds: readonly number[];
}

/** Redactions for some participants. The decision does not depend on them. */
export interface Redaction {
  participantIds: readonly string[];
  /** Codes of the privacy rules that applied. */
  rules: readonly string[];
  /** The fields that these rules removed or made less precise, such as `device.ifa`. */
  removed: readonly string[];
}

/** A demand partner that is called over HTTP. */
export interface BiddingParticipant {
  kind: "bidding";
  /** Unique in the auction. */
  id: string;
  name: string;
  mediaTypes: readonly MediaType[];
  /** Switched on by the operator and the publisher. */
  enabled: boolean;
  /** The operator has switched it off for all apps. */
  isInactive?: true;
  /** The publisher has keys for it. */
  hasKeys: boolean;
  /** Of apps, as in `DeviceFacts.platform`. Default: all. */
  platforms?: readonly string[];
  /** Where it buys, as in `DeviceFacts.worldRegion`. Default: everywhere, also where the country is unknown. */
  regions?: readonly string[];
  /** The imps that have keys, if keys differ by imp. Default: all. */
  impIds?: readonly string[];
  /** IAB Global Vendor List id. */
  gvlId?: number;
  breaker: "closed" | "open" | "half_open";
  /** Currencies it bids in. */
  currencies: readonly string[];
  acceptsChildDirected: boolean;
  /** A kill switch of the operator covers the request. */
  isSwitchedOff?: true;
  /** It is predicted not to bid. Whether it is skipped was drawn; the decision depends on that, not on the probability. */
  skip?: { isSkipped: boolean; probability: number };
  /** It has been sent as many requests within the last second as the operator allows. */
  isRateLimited?: true;
}

/** Major versions, both included. */
export interface VersionRange {
  min: number;
  max: number;
}

/** What an advertiser wants of an ad request, as a trace records it. All times are UTC. */
export interface Targeting {
  /** Epoch milliseconds. */
  startsAt: number;
  /** The first millisecond after it; null for no end. */
  endsAt: number | null;
  /** Days of the week as in ISO 8601: Monday is 1. */
  days: readonly number[];
  /** Minutes of the day, from the start of the first to the end of the last. */
  fromMinute: number;
  toMinute: number;
  geo: "in" | "not_in";
  /** ISO 3166-1 alpha-2. */
  countries: readonly string[];
  /** ISO 3166-2. A country with some of its regions means only these. Missing for none. */
  regions?: readonly string[];
  platforms: readonly CampaignPlatform[];
  /** Null for every version, unknown ones included. */
  ios: VersionRange | null;
  android: VersionRange | null;
  wifiOnly: boolean;
  format: CampaignFormat;
  /** Of a banner's creatives, in pixels. An image fills any screen and has none. */
  sizes: readonly { w: number; h: number }[];
}

/** An advertiser's campaign. It bids in US dollars without being called. */
export interface CampaignParticipant {
  kind: "campaign";
  /** Unique in the auction. */
  id: string;
  name: string;
  targeting: Targeting;
  /** The imps it was chosen for, because its bid is among the highest of all campaigns. */
  impIds: readonly string[];
  /** Imps that it may not bid on for its caps, pace or money, which are known outside of the auction. */
  gates?: readonly { impId: string; reason: GateReason }[];
}

/** What a publisher wants of an ad request for an ad of their own. */
export interface InhouseTargeting extends Pick<Targeting, "geo" | "countries" | "ios" | "android"> {
  /** The formats that its images fill. */
  formats: readonly AdFormat[];
  /** The formats that its video fills. Missing without one, and in traces from before videos were shown. */
  videoFormats?: readonly AdFormat[];
}

/**
 * A publisher's ad for one of their own apps. It bids without being called, and nobody pays: a bid of 0 fills what nobody
 * bought, a higher one competes with the other bids.
 */
export interface InhouseParticipant {
  kind: "inhouse";
  /** Unique in the auction. */
  id: string;
  name: string;
  targeting: InhouseTargeting;
  /** Imps for which its ad is not made, which only the ad itself can tell. */
  gates?: readonly { impId: string; reason: GateReason }[];
}

/** How a line item is tried: a player calls a VAST tag, a frame runs an HTML tag, the app's SDK calls an adapter. */
export type LineKind = "vast" | "html" | "sdk";

/**
 * A publisher's agreement with a seller that takes no bid requests. It is ranked at a price that its owner states and nobody
 * bids; whatever it pays is paid outside this platform.
 */
export interface LineParticipant {
  kind: "line";
  /** Unique in the auction. */
  id: string;
  name: string;
  serves: LineKind;
  /** Switched on by the publisher. */
  enabled: boolean;
  format: AdFormat;
  /** Zones by their names, an imp's `tagid`; empty for all. */
  zones: readonly string[];
  /** Of a banner's HTML tag, in pixels; null for one that fills any place. */
  size: { w: number; h: number } | null;
  /** The price that its owner states for the request's country, CPM in micro-dollars; null without one. */
  statedMicros: number | null;
  /**
   * What was learned and drawn: the price that it is expected to pay, the one that it is ranked at, and how likely the latter was. Of several
   * line items' probabilities, the share of auctions that explore is a factor once: an auction explores with all or with none. The
   * decision depends on the price that its bid has.
   */
  draw?: { expectedMicros: number; priceMicros: number; probability: number; isExplored: boolean };
  /** IAB Global Vendor List id of the seller behind it. Without one, the tag itself must heed the consent that it is told. */
  gvlId?: number;
  /** Of an adapter: whether the app's SDK has it. */
  hasAdapter?: boolean;
  /** It is predicted to have no ad. Whether it is skipped was drawn; the decision depends on that, not on the probability. */
  skip?: { isSkipped: boolean; probability: number };
  /** The caller takes whatever ad is returned; otherwise it compares prices that are bid. */
  isPlace: boolean;
}

/** A source that may win an imp. Each kind has its own eligibility and becomes a `Candidate`, the only type that ranking knows. */
export type Participant = BiddingParticipant | CampaignParticipant | InhouseParticipant | LineParticipant;
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
  /** A validated request without personal data: no rule reads any, and a trace must not store it. */
  request: BidRequest;
  app: AppSnapshot;
  device: DeviceFacts;
  consent: Consent;
  participants: readonly Participant[];
  /** A kill switch blocks all bidders for this request. */
  isSwitchedOff?: true;
  /** The SDK that asks cannot play the format on its platform. Another seller's SDK in the app, an adapter, may. */
  isUnplayable?: true;
  /** The publisher's share of a cleared price, in parts per million. The decision does not depend on it. */
  revenueSharePpm?: number;
  /** The `tmax` in milliseconds of those that were sent another than the request's. The decision does not depend on it. */
  tmaxes?: readonly { participantId: string; tmaxMs: number }[];
  /** Participants in none of them got everything. */
  redactions?: readonly Redaction[];
  /** Formats by imp id that override `formatOfImp`. */
  formats?: Record<string, AdFormat>;
  /** US dollars per unit of a currency. USD is 1 even if missing; a currency without a rate is not accepted. */
  ratesToUsd?: Record<string, number>;
  /** What was drawn for the imps whose floors are automatic. The decision depends on the floors, not on the probabilities. */
  floorDraws?: readonly FloorDraw[];
}
