import {
  type BidTerms,
  checkCreative,
  checkSeat,
  type Deal,
  dealOf,
  type Exclusions,
  mediaTypeOfBid,
  sizeOfBid,
} from "@millrace/openrtb";
import type { BidCandidate, BidPlace } from "./decision.ts";
import type { AuctionInput } from "./input.ts";
import { type Offer, requestFloorMicros } from "./offers.ts";
import { MAX_PRICE_MICROS, rateToUsd } from "./price.ts";
import type { BidReason } from "./reasons.ts";
import type { RecordedBid } from "./response.ts";

/** What every bid of an auction is held against. */
export interface Bench {
  offers: ReadonlyMap<string, Offer>;
  /** Imps that each participant was asked for. */
  asked: ReadonlyMap<string, readonly string[]>;
  currencies: readonly string[];
  rates: AuctionInput["ratesToUsd"];
  exclusions: Exclusions;
}

/** A valid bid as a candidate, or the first fault; with the price in micro-dollars as far as it is known. */
export type Judgement =
  | { fault: null; priceMicros: number; candidate: BidCandidate }
  | { fault: BidReason; priceMicros: number | null; candidate: null };

/**
 * Holds one recorded bid against the auction: the imp, the price, the currency, deal and seat, the floor, the creative.
 * A bid for a deal has the deal's own floor: its price was agreed beforehand.
 */
export function judgeBid(bid: RecordedBid, place: BidPlace, bench: Bench): Judgement {
  const price = priceInUsd(bid, bench);
  const fail = (fault: BidReason): Judgement => ({ fault, priceMicros: price, candidate: null });
  if (bid.fault !== undefined) return fail(bid.fault);
  const offer = bench.offers.get(bid.impId);
  if (offer === undefined) return fail("unknown_imp");
  if (bench.asked.get(place.participantId)?.includes(bid.impId) !== true) return fail("not_asked");
  if (bid.priceMicros === null) return fail("price_missing");
  if (bid.priceMicros <= 0) return fail("price_not_positive");
  if (price === null) return fail("wrong_currency");
  if (price > MAX_PRICE_MICROS) return fail("price_too_high");
  const { imp } = offer;
  const terms: BidTerms = { ...bid, hasMarkup: bid.markupLength > 0 || bid.hasNoticeUrl };
  const deal = dealOf(imp, bid.dealId);
  const shutOut = checkSeat(terms, imp, deal, bench.exclusions);
  if (shutOut !== undefined) return fail(shutOut);
  if (price < floorFor(offer, deal, bench)) return fail(deal === undefined ? "below_floor" : "below_deal_floor");
  const creative = checkCreative(terms, imp, deal, bench.exclusions);
  const mediaType = mediaTypeOfBid(bid.mtype, imp);
  if (creative !== undefined || mediaType === undefined) return fail(creative ?? "wrong_media_type");
  const size = sizeOfBid(bid, imp, mediaType);
  const candidate: BidCandidate = {
    participantId: place.participantId,
    call: place.call,
    index: place.index,
    kind: "bidding",
    impId: bid.impId,
    candidateId: `${place.call}.${place.index}`,
    bidId: bid.bidId,
    priceMicros: price,
    mediaType,
    w: size?.w ?? null,
    h: size?.h ?? null,
  };
  if (bid.dealId !== undefined) candidate.dealId = bid.dealId;
  if (bid.crid !== undefined) candidate.crid = bid.crid;
  if (bid.adomain !== undefined) candidate.adomain = bid.adomain;
  return { fault: null, priceMicros: price, candidate };
}

function priceInUsd({ priceMicros, cur }: RecordedBid, { currencies, rates }: Bench): number | null {
  const rate = currencies.includes(cur) ? rateToUsd(cur, rates) : undefined;
  if (priceMicros === null || rate === undefined) return null;
  return rate === 1 ? priceMicros : Math.round(Math.min(priceMicros * rate, Number.MAX_SAFE_INTEGER)) + 0;
}

// A floor that cannot be converted can be shown to be met by no price.
function floorFor({ floorMicros }: Offer, deal: Deal | undefined, { rates }: Bench): number {
  return (deal === undefined ? floorMicros : requestFloorMicros(deal, rates)) ?? Infinity;
}
