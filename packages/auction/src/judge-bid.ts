import {
  checkCreative,
  checkSeat,
  type Deal,
  dealOf,
  type Exclusions,
  type Imp,
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
export interface Judgement {
  fault: BidReason | null;
  priceMicros: number | null;
  /** Null where there is a fault. */
  candidate: BidCandidate | null;
}

/** Holds one recorded bid against the auction: the imp, the price, deal and seat, the floor, the creative. */
export function judgeBid(bid: RecordedBid, place: BidPlace, bench: Bench): Judgement {
  const priceMicros = priceInUsd(bid, bench);
  const fault = findFault(bid, place.participantId, priceMicros, bench);
  const imp = bench.offers.get(bid.impId)?.imp;
  if (fault !== undefined || priceMicros === null || imp === undefined) {
    return { fault: fault ?? "unknown_imp", priceMicros, candidate: null };
  }
  return { fault: null, priceMicros, candidate: candidateOf(bid, place, imp, priceMicros) };
}

function findFault(bid: RecordedBid, participantId: string, price: number | null, bench: Bench): BidReason | undefined {
  if (bid.fault !== undefined) return bid.fault;
  const offer = bench.offers.get(bid.impId);
  if (offer === undefined) return "unknown_imp";
  if (bench.asked.get(participantId)?.includes(bid.impId) !== true) return "not_asked";
  if (bid.priceMicros === null) return "price_missing";
  if (bid.priceMicros <= 0) return "price_not_positive";
  if (price === null) return "wrong_currency";
  if (price > MAX_PRICE_MICROS) return "price_too_high";
  const { imp } = offer;
  const deal = dealOf(imp, bid.dealId);
  const shutOut = checkSeat(bid, imp, deal, bench.exclusions);
  if (shutOut !== undefined) return shutOut;
  if (price < floorFor(offer, deal, bench)) return deal === undefined ? "below_floor" : "below_deal_floor";
  const creative = checkCreative(bid, imp, deal, bench.exclusions);
  if (creative !== undefined) return creative;
  return bid.markupLength > 0 || bid.hasNoticeUrl ? undefined : "markup_missing";
}

// One literal with every field: an object that grows, or is spread into a longer one, costs a microsecond and more.
function candidateOf(bid: RecordedBid, place: BidPlace, imp: Imp, priceMicros: number): BidCandidate {
  const mediaType = mediaTypeOfBid(bid.mtype, imp) ?? "banner";
  const size = sizeOfBid(bid, imp, mediaType);
  return {
    participantId: place.participantId,
    call: place.call,
    index: place.index,
    kind: "bidding",
    impId: bid.impId,
    candidateId: `${place.call}.${place.index}`,
    bidId: bid.bidId,
    priceMicros,
    mediaType,
    w: size?.w ?? null,
    h: size?.h ?? null,
    dealId: bid.dealId,
    crid: bid.crid,
    adomain: bid.adomain,
  };
}

function priceInUsd({ priceMicros, cur }: RecordedBid, { currencies, rates }: Bench): number | null {
  const rate = currencies.includes(cur) ? rateToUsd(cur, rates) : undefined;
  if (priceMicros === null || rate === undefined) return null;
  return rate === 1 ? priceMicros : Math.round(Math.min(priceMicros * rate, Number.MAX_SAFE_INTEGER)) + 0;
}

// A bid for a deal has the deal's own floor: its price was agreed beforehand. No price can be shown to meet a floor
// that cannot be converted.
function floorFor({ floorMicros }: Offer, deal: Deal | undefined, { rates }: Bench): number {
  return (deal === undefined ? floorMicros : requestFloorMicros(deal, rates)) ?? Infinity;
}
