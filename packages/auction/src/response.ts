import type { BidReason, ResponseStatus } from "./reasons.ts";

/** What one call to a participant brought. A participant that is asked in several calls has several. */
export interface PartnerResponse {
  participantId: string;
  /** Which of the participant's calls this was, from 0. */
  call: number;
  status: ResponseStatus;
  latencyMs: number;
  bids: RecordedBid[];
  /** The partner's own no-bid reason (OpenRTB `nbr`). */
  nbr?: number;
}

/** A bid as it is kept in the trace: no markup, no text that is not needed to judge it. Made by `recordBid`. */
export interface RecordedBid {
  bidId: string;
  impId: string;
  /** CPM in millionths of `cur`; null where the price was not a finite number. */
  priceMicros: number | null;
  cur: string;
  /** OpenRTB markup type; absent where the partner did not say. */
  mtype?: number;
  w?: number;
  h?: number;
  wratio?: number;
  hratio?: number;
  adomain?: string[];
  cat?: string[];
  attr?: number[];
  crid?: string;
  bundle?: string;
  dealId?: string;
  seat?: string;
  /** Length of the markup in UTF-16 units; 0 where it is blank or does not come with the bid. */
  markupLength: number;
  /** FNV-1a of the markup, where the caller asked for it. */
  markupHash?: string;
  /** What was wrong with the bid before any rule looked at it. */
  fault?: BidReason;
  /** The field at fault, as `adomain[0]`. */
  faultPath?: string;
}
