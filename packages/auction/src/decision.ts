import type { Loss, MediaType, Nbr } from "@millrace/openrtb";
import type { Candidate, Ranked } from "./candidate.ts";
import type { AdFormat, ParticipantKind } from "./input.ts";
import type { Offer } from "./offers.ts";
import type { BidReason, NoAdReason, Outcome, RefusalReason } from "./reasons.ts";

/** A participant that may be called, and its imps. */
export interface ParticipantRef {
  participantId: string;
  impIds: string[];
}

/** A participant that may not be asked; with `impId` only for that imp. */
export interface Refusal {
  participantId: string;
  impId?: string;
  reason: RefusalReason;
}

/** Who may be asked for what. */
export interface Eligibility {
  /** The imps with the floors that every bid on them is judged by. */
  offers: readonly Offer[];
  eligible: ParticipantRef[];
  refused: Refusal[];
}

/** Identifies a bid, and so its markup: the `index`-th of `PartnerResponse.bids` of this participant and call. */
export interface BidPlace {
  participantId: string;
  call: number;
  index: number;
}

/** The result of one bid. */
export interface BidVerdict extends BidPlace {
  impId: string;
  bidId: string;
  status: "won" | "lost" | "invalid";
  /** Null for the winner. */
  reason: BidReason | null;
  /** The wrong field of a malformed bid. */
  path?: string;
  lossCode: Loss;
  /** CPM in micro-dollars as bid; null if unknown. */
  priceMicros: number | null;
  /**
   * CPM in micro-dollars that would have won: for a losing bid or one below its floor, the higher of the winner's price
   * and its floor; for the winner, the next price or its floor. Null if price did not decide (OpenRTB 2.6, section
   * 4.4.1).
   */
  minToWinMicros: number | null;
}

/** A valid bid as a candidate. A line item has one at its expected price. */
export interface BidCandidate extends Candidate, BidPlace {
  kind: ParticipantKind;
  bidId: string;
  mediaType: MediaType;
  /** The creative's size: as bid, or the only one the imp offers; null if unknown. */
  w: number | null;
  h: number | null;
  dealId?: string;
  crid?: string;
  adomain?: string[];
}

/** How one participant came out. */
export interface ParticipantOutcome {
  participantId: string;
  outcome: Outcome;
  /** The slowest of its calls; null if it was not called. */
  latencyMs: number | null;
  bids: number;
}

/** One imp's result. */
export interface ImpDecision {
  impId: string;
  format: AdFormat;
  /** CPM in micro-dollars for bids without a deal. */
  floorMicros: number;
  /** Best first; the caller walks it until one shows. */
  order: Ranked<BidCandidate>[];
  /** Null when something was sold. */
  noAdReason: NoAdReason | null;
}

/** The outcome of an auction: a pure function of `AuctionInput` and the responses. */
export interface AuctionDecision {
  auctionId: string;
  /** The request or the device is marked as test, so nothing is billed. */
  test: boolean;
  eligible: ParticipantRef[];
  refused: Refusal[];
  participants: ParticipantOutcome[];
  bids: BidVerdict[];
  imps: ImpDecision[];
  /** OpenRTB no-bid reason when nothing sold, else null. */
  nbr: Nbr | null;
  noAdReason: NoAdReason | null;
}
