import { type Bid, glanceAtVast, type MediaType, MTYPE, transparencyOf } from "@millrace/openrtb";
import { findLongText } from "./long-texts.ts";
import { priceToMicros } from "./price.ts";
import type { RecordedBid, UnrecordedBid } from "./response.ts";
import { textHash } from "./seeded-hash.ts";

// A trace stores only what rules read, so that a bidder cannot fill the store with it.
const MAX_TEXT = 512;
const MAX_ITEMS = 64;

/** A bid as read from a partner's answer: see `PartnerBid` of the partners. */
export interface ReadBid {
  bid: Bid;
  seat?: string;
  mediaType?: MediaType;
  responseId?: string;
}

const clip = (text: string): string => (text.length > MAX_TEXT ? text.slice(0, MAX_TEXT) : text);

interface RecordOptions {
  /** Takes time proportional to the markup: for auctions whose trace is stored. */
  hashMarkup?: boolean;
  /** Fills a macro in texts whose length is judged. */
  requestId?: string;
}

/** A bid that `recordBid` records when something needs it. */
export function unrecordedBid(read: ReadBid, cur: string, options: RecordOptions = {}): UnrecordedBid {
  const { impid, price, dealid } = read.bid;
  return {
    impId: clip(impid),
    priceMicros: priceToMicros(price),
    cur,
    dealId: dealid === undefined ? undefined : clip(dealid),
    record: () => recordBid(read, cur, options),
  };
}

/**
 * Keeps the fields of a bid that the auction judges. The markup stays with the caller, which finds the winner's by
 * `BidPlace.index`.
 */
export function recordBid(
  read: ReadBid,
  cur: string,
  { hashMarkup = false, requestId = "" }: RecordOptions = {},
): RecordedBid {
  const { bid, seat, mediaType } = read;
  const recorded: RecordedBid = {
    bidId: clip(bid.id),
    impId: clip(bid.impid),
    priceMicros: priceToMicros(bid.price),
    cur,
    markupLength: bid.adm !== undefined && /\S/.test(bid.adm) ? bid.adm.length : 0,
  };
  const mtype = mediaType === undefined ? bid.mtype : MTYPE[mediaType];
  if (mtype !== undefined) recorded.mtype = mtype;
  recordCreative(recorded, bid);
  if (bid.dealid !== undefined) recorded.dealId = clip(bid.dealid);
  if (seat !== undefined) recorded.seat = clip(seat);
  if (hashMarkup && bid.adm !== undefined) recorded.markupHash = textHash(bid.adm);
  const tooLong = findTooLong(read, requestId);
  return tooLong === null ? recorded : { ...recorded, ...tooLong };
}

/** Records what is known of the ad itself. */
function recordCreative(recorded: RecordedBid, bid: Bid): void {
  if (bid.w !== undefined) recorded.w = bid.w;
  if (bid.h !== undefined) recorded.h = bid.h;
  if (bid.wratio !== undefined) recorded.wratio = bid.wratio;
  if (bid.hratio !== undefined) recorded.hratio = bid.hratio;
  if (bid.dur !== undefined) recorded.dur = bid.dur;
  if (bid.protocol !== undefined) recorded.protocol = bid.protocol;
  const vast = bid.dur && bid.protocol ? undefined : glanceAtVast(bid.adm ?? "");
  if (vast !== undefined) recorded.vast = vast;
  if (bid.attr !== undefined) recorded.attr = bid.attr.slice(0, MAX_ITEMS);
  const apis = bid.apis ?? (bid.api === undefined ? undefined : [bid.api]);
  if (apis !== undefined) recorded.apis = apis.slice(0, MAX_ITEMS);
  if (bid.slotinpod !== undefined) recorded.slotinpod = bid.slotinpod;
  if (bid.language !== undefined) recorded.language = clip(bid.language);
  if (bid.langb !== undefined) recorded.langb = clip(bid.langb);
  const adrender = transparencyOf(bid);
  if (adrender !== undefined) recorded.adrender = adrender;
  if (bid.adomain !== undefined) recorded.adomain = bid.adomain.slice(0, MAX_ITEMS).map(clip);
  if (bid.cat !== undefined) recorded.cat = bid.cat.slice(0, MAX_ITEMS).map(clip);
  if (bid.cattax !== undefined) recorded.cattax = bid.cattax;
  if (bid.crid !== undefined) recorded.crid = clip(bid.crid);
  if (bid.bundle !== undefined) recorded.bundle = clip(bid.bundle);
}

/** The list or text that is too long, of which the record has only a part; null if there is none. */
function findTooLong(read: ReadBid, requestId: string): Pick<RecordedBid, "fault" | "faultPath"> | null {
  const list = (["adomain", "cat", "attr", "apis"] as const).find((name) => (read.bid[name]?.length ?? 0) > MAX_ITEMS);
  return list === undefined ? findLongText(read, requestId) : { fault: "malformed_bid", faultPath: list };
}

/** A bid that could not be read, kept with the field at fault. */
export function recordMalformedBid(bid: { bidId: string; impId: string; path: string }, cur: string): RecordedBid {
  return {
    bidId: clip(bid.bidId),
    impId: clip(bid.impId),
    priceMicros: null,
    cur,
    markupLength: 0,
    fault: "malformed_bid",
    faultPath: clip(bid.path),
  };
}

/** A bid that is on record already. */
export const unrecorded = (recorded: RecordedBid): UnrecordedBid => ({
  impId: recorded.impId,
  priceMicros: recorded.priceMicros,
  cur: recorded.cur,
  dealId: recorded.dealId,
  record: () => recorded,
});
