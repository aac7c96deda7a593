import type { VastGlance } from "@millrace/openrtb";
import type { BidReason, ResponseStatus } from "./reasons.ts";

/** How one call to a participant ended. A participant that is called several times has several. */
export interface CallResult {
  participantId: string;
  /** The index of the call among the participant's calls. */
  call: number;
  status: ResponseStatus;
  latencyMs: number;
  /** Absent without an HTTP response. */
  httpStatus?: number;
  /** The partner's own no-bid reason (OpenRTB `nbr`). */
  nbr?: number;
  /** The imps that the call asked for, if there were others that the participant was asked for. */
  impIds?: string[];
}

/** Whether a call asked for an imp. */
export const asksFor = ({ impIds }: CallResult, impId: string): boolean => impIds?.includes(impId) ?? true;

/** A call's result with its bids. */
export interface PartnerResponse extends CallResult {
  bids: RecordedBid[];
}

/** A call's result with bids that have no records yet. */
export interface UnrecordedResponse extends CallResult {
  bids: readonly UnrecordedBid[];
}

/** The part of a bid that ranks it. The rest of its record is made when something needs it: most bids only lose. */
export interface UnrecordedBid extends Pick<RecordedBid, "impId" | "priceMicros" | "cur" | "dealId"> {
  record(): RecordedBid;
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
  /** In seconds. */
  dur?: number;
  /** Of AdCOM's list of audio and video subtypes. */
  protocol?: number;
  /** What its VAST document says of both, if the bid itself leaves one out. */
  vast?: VastGlance;
  adomain?: string[];
  cat?: string[];
  /** The taxonomy of `cat` in AdCOM's list. */
  cattax?: number;
  attr?: number[];
  /** The API frameworks that the markup supports, of AdCOM's list. */
  apis?: number[];
  /** The place in a pod that the ad is for, of AdCOM's list. */
  slotinpod?: number;
  /** Of ISO 639-1. */
  language?: string;
  /** Of BCP 47. */
  langb?: string;
  /** What the bid says of its notice by the Digital Services Act: see `transparencyOf`. */
  adrender?: number;
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
