import {
  AUCTION_TYPE,
  checkCreative,
  checkSeat,
  type Deal,
  dealOf,
  type Exclusions,
  exclusionsOf,
  hasFloor,
  type Imp,
  lengthFloorOf,
  mediaTypeOfBid,
  sizeOfBid,
} from "@millrace/openrtb";
import type { BidCandidate, BidPlace, ParticipantRef } from "./decision.ts";
import type { AuctionInput, ParticipantKind } from "./input.ts";
import { acceptsCurrency, lengthFloorMicros, type Offer, requestFloorMicros } from "./offers.ts";
import { inUsdMicros, MAX_PRICE_MICROS, rateToUsd } from "./price.ts";
import type { BidReason } from "./reasons.ts";
import type { RecordedBid } from "./response.ts";

/** The facts that every bid of an auction is judged by. */
export interface BidRules {
  offers: readonly Offer[];
  /** The participants that were asked, each with its imps. */
  asked: readonly ParticipantRef[];
  participants: AuctionInput["participants"];
  currencies: readonly string[];
  rates: AuctionInput["ratesToUsd"];
  exclusions: Exclusions;
}

/** What the request and the publisher's lists exclude. */
export const exclusionsIn = ({ request, app }: ExclusionsInput): Exclusions =>
  exclusionsOf(request, { advertisers: app.blockedAdvertisers, categories: app.blockedCategories });

type ExclusionsInput = Pick<AuctionInput, "request"> & {
  app: Pick<AuctionInput["app"], "blockedAdvertisers" | "blockedCategories">;
};

/** A valid bid as a candidate, or its first fault; with the prices in micro-dollars as far as known. */
export interface Judgement {
  fault: BidReason | null;
  priceMicros: number | null;
  /** The floor it had to reach; null if unknown. */
  floorMicros: number | null;
  /** Null if it has a fault. */
  candidate: BidCandidate | null;
}

/** Holds one recorded bid against the auction: the imp, the price, deal and seat, the floor, the creative. */
export function judgeBid(bid: RecordedBid, place: BidPlace, rules: BidRules): Judgement {
  const priceMicros = priceInUsd(bid, place, rules);
  // Few bids are judged and an auction has few imps: lists are searched faster than maps are made.
  const offer = rules.offers.find(({ imp }) => imp.id === bid.impId);
  if (offer === undefined) {
    return { fault: bid.fault ?? "unknown_imp", priceMicros, floorMicros: null, candidate: null };
  }
  const deal = dealOf(offer.imp, bid.dealId);
  const floorMicros = floorOfBid(bid, offer, rules.rates);
  const asked = rules.asked.find(({ participantId }) => participantId === place.participantId);
  const isAsked = asked?.impIds.includes(bid.impId) === true;
  const kind = kindOf(place, rules);
  // Nobody pays for an in-house ad, so it may be below the floor.
  const isBelowFloor = kind !== "inhouse" && (priceMicros ?? 0) < (floorMicros ?? Infinity);
  const fault =
    bid.fault ??
    (isAsked ? findPriceFault(bid, priceMicros, place, rules) : "not_asked") ??
    findTermsFault(bid, { imp: offer.imp, deal, isBelowFloor, kind }, rules);
  if (fault !== undefined || priceMicros === null) {
    return { fault: fault ?? "price_missing", priceMicros, floorMicros, candidate: null };
  }
  // At a fixed price, the deal's floor is the agreed price (auction type 3).
  const isFixed = deal?.at === AUCTION_TYPE.fixedPrice && hasFloor(deal) && floorMicros !== null && floorMicros > 0;
  const candidate = candidateOf(bid, place, kind, offer.imp, isFixed ? floorMicros : priceMicros);
  return { fault: null, priceMicros, floorMicros, candidate };
}

export const kindOf = (
  { participantId }: Pick<BidPlace, "participantId">,
  { participants }: Pick<BidRules, "participants">,
): ParticipantKind => participants.find(({ id }) => id === participantId)?.kind ?? "bidding";

/** An in-house ad without a price fills what nobody bought: it is served after every bid. */
export const tierOf = (kind: ParticipantKind, priceMicros: number): 0 | 1 =>
  kind === "inhouse" && priceMicros === 0 ? 1 : 0;

function findPriceFault(
  bid: RecordedBid,
  price: number | null,
  place: BidPlace,
  rules: BidRules,
): BidReason | undefined {
  const kind = kindOf(place, rules);
  if (bid.priceMicros === null) return "price_missing";
  if (bid.priceMicros < 0 || (bid.priceMicros === 0 && kind !== "inhouse")) return "price_not_positive";
  if (price === null) return isAccepted(bid, place, rules) ? "no_currency_rate" : "wrong_currency";
  return price > MAX_PRICE_MICROS ? "price_too_high" : undefined;
}

interface Terms {
  imp: Imp;
  deal: Deal | undefined;
  isBelowFloor: boolean;
  kind: ParticipantKind;
}

function findTermsFault(
  bid: RecordedBid,
  { imp, deal, isBelowFloor, kind }: Terms,
  { exclusions }: BidRules,
): BidReason | undefined {
  const shutOut = checkSeat(bid, imp, deal, exclusions);
  if (shutOut !== undefined) return shutOut;
  if (isBelowFloor) return deal && hasFloor(deal) ? "below_deal_floor" : "below_floor";
  // Nobody knows in advance which creative a line item will show; that its tag fits the place is asked before.
  const creative = kind === "line" ? undefined : checkCreative(bid, imp, deal, exclusions);
  if (creative !== undefined) return creative;
  // The answer goes out at once, so it cannot contain markup that has to be fetched with the win notice.
  return bid.markupLength > 0 ? undefined : "markup_missing";
}

/** A name that is unique in the auction. */
export const candidateIdOf = ({ participantId, call, index }: BidPlace): string => `${participantId}.${call}.${index}`;

// One literal with every field: an object that grows, or is spread into a longer one, costs a microsecond and more.
function candidateOf(
  bid: RecordedBid,
  place: BidPlace,
  kind: ParticipantKind,
  imp: Imp,
  priceMicros: number,
): BidCandidate {
  const mediaType = mediaTypeOfBid(bid.mtype, imp) ?? "banner";
  const size = sizeOfBid(bid, imp, mediaType);
  return {
    participantId: place.participantId,
    call: place.call,
    index: place.index,
    kind,
    impId: bid.impId,
    candidateId: candidateIdOf(place),
    bidId: bid.bidId,
    priceMicros,
    tier: tierOf(kind, priceMicros) || undefined,
    mediaType,
    w: size?.w ?? null,
    h: size?.h ?? null,
    dealId: bid.dealId,
    crid: bid.crid,
    adomain: bid.adomain,
  };
}

type Priced = Pick<RecordedBid, "priceMicros" | "cur">;

/** A bid's price in micro-dollars; null if it has none, or its currency is not accepted or has no rate. */
export function priceInUsd(bid: Priced, place: Pick<BidPlace, "participantId">, rules: BidRules): number | null {
  const rate = isAccepted(bid, place, rules) ? rateToUsd(bid.cur, rules.rates) : undefined;
  if (bid.priceMicros === null || rate === undefined) return null;
  return inUsdMicros(bid.priceMicros, rate);
}

function isAccepted({ cur }: Priced, { participantId }: Pick<BidPlace, "participantId">, rules: BidRules): boolean {
  // Nearly all bids are in a currency of the request, so that nobody is searched for.
  if (rules.currencies.includes(cur)) return true;
  const participant = rules.participants.find(({ id }) => id === participantId);
  return (
    participant?.kind === "bidding" && acceptsCurrency(cur, { accepted: rules.currencies, own: participant.currencies })
  );
}

/**
 * The floor that a bid has to meet, as CPM in micro-dollars: a bid on a deal has the deal's own, agreed one if it has one, and both
 * may differ by the length of a video. Null if it cannot be converted: then no price can be shown to meet it.
 */
export function floorOfBid(bid: RecordedBid, offer: Offer, rates: BidRules["rates"]): number | null {
  const named = dealOf(offer.imp, bid.dealId);
  const deal = named && hasFloor(named) ? named : undefined;
  const ofLength = lengthFloorOf(bid, offer.imp, { type: mediaTypeOfBid(bid.mtype, offer.imp), deal });
  if (deal === undefined) return ofLength === undefined ? offer.floorMicros : lengthFloorMicros(ofLength, offer, rates);
  return requestFloorMicros({ bidfloor: ofLength ?? deal.bidfloor, bidfloorcur: deal.bidfloorcur }, rates);
}
