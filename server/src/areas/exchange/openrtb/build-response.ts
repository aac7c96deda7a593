import { microsToDecimal } from "@millrace/auction";
import { type Bid, type BidResponse, type Ext, MTYPE, NBR, type SeatBid } from "@millrace/openrtb";
import { grouped } from "../../../platform/grouped.ts";
import type { AuctionResult } from "../auction/execute-auction.ts";
import type { MadeAd } from "../markup/make-ad.ts";
import type { CachedMarkup, MarkupCache } from "../markup/markup-cache.ts";
import { adjustedMicros, type PrebidAsk } from "./prebid.ts";
import { targetingOf } from "./targeting.ts";

/** An error code of Prebid Server. */
const UNKNOWN_BIDDER = 2;

/** Builds the response: the bids by seat, or the reason for a no-bid. `ads` are by imp, best first. */
export function buildResponse(
  auction: AuctionResult,
  ads: readonly (readonly MadeAd[])[],
  prebid: PrebidAsk | null,
  cache: MarkupCache,
): BidResponse {
  const { id, app } = auction.setup.request;
  const isApp = app !== undefined;
  const bids = ads.flatMap((ofImp) =>
    ofImp.map((ad, place) => {
      const seat = seatOf(auction, ad);
      return { seat, bid: bidOf(ad, { seat, prebid, isBest: place === 0, isApp }, cache) };
    }),
  );
  const seatbid: SeatBid[] = [...grouped(bids, ({ seat }) => seat)].map(([seat, ofSeat]) => ({
    seat,
    bid: ofSeat.map(({ bid }) => bid),
  }));
  return {
    id,
    cur: "USD",
    ...(seatbid.length > 0
      ? { seatbid }
      : { nbr: auction.decision.inFull().nbr ?? NBR.unknown, ...(prebid && { seatbid: [] }) }),
    ...(prebid && { ext: extOf(auction, prebid) }),
  };
}

/** The name of a bidder in the response: the one under which the request asked it. */
export const seatOf = (auction: AuctionResult, { candidate, facts }: MadeAd): string =>
  auction.askedAs(candidate) ?? facts.provider;

/**
 * A bid as received, except for our additions: our markup and beacons replace the bidder's notices, which we send
 * ourselves.
 */
function bidOf(
  { candidate, bid: { bid }, facts, beacons, markup }: MadeAd,
  { seat, prebid, isBest, isApp }: { seat: string; prebid: PrebidAsk | null; isBest: boolean; isApp: boolean },
  cache: MarkupCache,
): Bid {
  const { nurl: _win, burl: _billing, lurl: _loss, ext: given, ...rest } = bid;
  const { mediaType, w, h, dealId } = candidate;
  const priceMicros = adjustedMicros(prebid, seat, facts.priceMicros);
  const result: Bid = {
    ...rest,
    price: Number(microsToDecimal(priceMicros)),
    adm: markup.content,
    mtype: MTYPE[mediaType],
    ...(w !== null && h !== null && { w, h }),
  };
  // Clients load what `ext.prebid` names, so the bidder's would be shown in place of the markup that counts.
  const { prebid: _named, ...ext } = given ?? {};
  if (!prebid) return { ...result, ...(Object.keys(ext).length > 0 && { ext }), lurl: beacons.loss };
  const { cacheVast, cacheBids, targeting } = prebid;
  const cachedVast = cacheVast && markup.type === "vast" ? cache.keep(markup.content, cacheVast.ttlSeconds) : undefined;
  // An ad server shows the best, unless the client sends it all: the cache is too small for the others.
  const isWanted = isBest || targeting?.["includebidderkeys"] === true;
  const cachedBid = cacheBids && isWanted ? cache.keep(JSON.stringify(result), cacheBids.ttlSeconds) : undefined;
  if ([cachedVast && cacheVast, cachedBid && cacheBids].some((ask) => ask?.returnsCreative === false))
    delete result.adm;
  const shown = { mediaType, w, h, isApp };
  const targeted = { bidder: seat, impId: bid.impid, ...shown, priceMicros, dealId, cachedVast, cachedBid };
  result.ext = {
    ...ext,
    origbidcpm: Number(microsToDecimal(facts.priceMicros)),
    origbidcur: "USD",
    prebid: {
      type: mediaType,
      meta: { advertiserDomains: bid.adomain ?? [], networkName: facts.provider },
      ...((cachedVast ?? cachedBid) && {
        cache: {
          ...(cachedBid && { bids: placeOf(cachedBid) }),
          ...(cachedVast && { vastXml: placeOf(cachedVast) }),
        },
      }),
      ...(targeting && { targeting: targetingOf(targeting, targeted, isBest) }),
    },
  };
  return result;
}

const placeOf = ({ id, url }: CachedMarkup) => ({ cacheId: id, url });

/** Response times and unknown names, for the logs of Prebid clients. */
function extOf({ calls, setup }: AuctionResult, { unknown }: PrebidAsk): Ext {
  const times = calls.map(
    ({ response, askedAs }) => [askedAs ?? response.participantId, Math.round(response.latencyMs)] as const,
  );
  const errors = unknown.map((name) => [name, [{ code: UNKNOWN_BIDDER, message: "Unknown bidder" }]] as const);
  return {
    responsetimemillis: Object.fromEntries(times),
    tmaxrequest: setup.deadlineMs,
    ...(errors.length > 0 && { errors: Object.fromEntries(errors) }),
    prebid: { auctiontimestamp: setup.at },
  };
}
