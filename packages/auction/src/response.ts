import type { BidReason, ResponseStatus } from "./reasons.ts";

/** The result of one call to a participant. A participant that is called several times has several. */
export interface PartnerResponse {
  participantId: string;
  /** The index of the call among the participant's calls. */
  call: number;
  status: ResponseStatus;
  latencyMs: number;
  bids: RecordedBid[];
  /** The partner's own no-bid reason (OpenRTB `nbr`). */
  nbr?: number;
}

/** A bid as its trace stores it, without markup or other text that no rule needs. Made by `recordBid`. */
export interface RecordedBid {
  bidId: string;
  impId: string;
  /** CPM in millionths of `cur`; null if the price was not a finite number. */
  priceMicros: number | null;
  cur: string;
  /** OpenRTB markup type; absent if the partner sent none. */
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
  /** Length of the markup in UTF-16 units; 0 if it is blank or not part of the bid. */
  markupLength: number;
  /** FNV-1a of the markup, if requested. */
  markupHash?: string;
  /** A fault found before any rule applies. */
  fault?: BidReason;
  /** The field at fault, as `adomain[0]`. */
  faultPath?: string;
}
