import type { BidFault } from "./bid-faults.ts";
import type { Deal, Imp } from "./bid-request.ts";
import {
  advertiserDomain,
  type Exclusions,
  isAdvertiserBlocked,
  isAdvertiserPicked,
  isAppBlocked,
  isCategoryBlocked,
  isLanguageExcluded,
} from "./exclusions.ts";
import type { Banner, Format } from "./media.ts";
import { type MediaType, mediaTypeOfMtype, soleMediaType } from "./media-type.ts";
import { checkStream, type StreamTerms } from "./stream-rules.ts";
import { isTransparent } from "./transparency.ts";

/** The terms of a bid that the rules below check. An empty `dealId` means no deal, and an `mtype` of 0 no type. */
export interface BidTerms extends StreamTerms {
  mtype?: number;
  w?: number;
  h?: number;
  wratio?: number;
  hratio?: number;
  adomain?: readonly string[];
  cat?: readonly string[];
  cattax?: number;
  attr?: readonly number[];
  bundle?: string;
  language?: string;
  langb?: string;
  /** As `transparencyOf` gives it. */
  adrender?: number;
  dealId?: string;
  seat?: string;
}

/** The deal that a bid names. */
export function dealOf(imp: Imp, dealId: string | undefined): Deal | undefined {
  return namesDeal(dealId) ? imp.pmp?.deals?.find(({ id }) => id === dealId) : undefined;
}

const namesDeal = (dealId: string | undefined): boolean => dealId !== undefined && dealId !== "";

/** The bid's media type: its `mtype`, or the only type the imp offers. Undefined if unknown or not offered. */
export function mediaTypeOfBid(mtype: number | undefined, imp: Imp): MediaType | undefined {
  if (mtype === undefined || mtype === 0) return soleMediaType(imp);
  const type = mediaTypeOfMtype(mtype);
  return type !== undefined && imp[type] !== undefined ? type : undefined;
}

const sizesOf = ({ format, w, h }: Banner): Format[] =>
  format !== undefined && format.length > 0 ? format : w !== undefined && h !== undefined ? [{ w, h }] : [];

/** The display size of a creative: the bid's, or the only size the banner offers. Null if unknown. */
export function sizeOfBid(bid: { w?: number; h?: number }, imp: Imp, type: MediaType): { w: number; h: number } | null {
  if (bid.w !== undefined && bid.h !== undefined && bid.w > 0 && bid.h > 0) return { w: bid.w, h: bid.h };
  if (type !== "banner" || imp.banner === undefined) return null;
  const [only, ...others] = sizesOf(imp.banner);
  return only?.w !== undefined && only.h !== undefined && others.length === 0 ? { w: only.w, h: only.h } : null;
}

/**
 * A banner's size must be one of those offered; an interstitial also accepts smaller ones. An imp without sizes accepts
 * any size.
 */
export function bannerTakes(terms: Pick<BidTerms, "w" | "h" | "wratio" | "hratio">, imp: Imp): boolean {
  const sizes = imp.banner === undefined ? [] : sizesOf(imp.banner);
  if (sizes.length === 0) return true;
  const size = sizeOfBid(terms, imp, "banner");
  if (size === null) return terms.wratio !== undefined && sizes.some((offer) => ratioFits(terms, offer));
  const { w, h } = size;
  return sizes.some(
    (offer) =>
      (offer.w === w && offer.h === h) ||
      (imp.instl === 1 && w <= (offer.w ?? 0) && h <= (offer.h ?? 0)) ||
      (w >= (offer.wmin ?? 0) && ratioFits({ wratio: w, hratio: h }, offer)),
  );
}

function ratioFits({ wratio, hratio }: Pick<BidTerms, "wratio" | "hratio">, offer: Format): boolean {
  if (wratio === undefined || hratio === undefined || offer.wratio === undefined || offer.hratio === undefined)
    return false;
  return wratio > 0 && wratio * offer.hratio === hratio * offer.wratio;
}

/** Checks deal and seat: a named deal must exist and admit the seat, and a private auction requires a deal. */
export function checkSeat(
  terms: BidTerms,
  imp: Imp,
  deal: Deal | undefined,
  exclusions: Exclusions,
): BidFault | undefined {
  if (namesDeal(terms.dealId) && deal === undefined) return "unknown_deal";
  if (deal === undefined && imp.pmp?.private_auction === 1) return "deal_required";
  const { blockedSeats, allowedSeats } = exclusions;
  const seat = terms.seat ?? "";
  if (blockedSeats?.has(seat) === true || allowedSeats?.has(seat) === false) return "seat_blocked";
  if (deal?.wseat !== undefined && deal.wseat.length > 0 && !deal.wseat.includes(seat)) return "seat_blocked";
  return undefined;
}

/** Checks what is advertised, and whether the place takes the ad, of a bid with an acceptable price. */
export function checkCreative(
  terms: BidTerms,
  imp: Imp,
  deal: Deal | undefined,
  exclusions: Exclusions,
): BidFault | undefined {
  const type = mediaTypeOfBid(terms.mtype, imp);
  if (type === undefined) return "wrong_media_type";
  if (type === "banner" && !bannerTakes(terms, imp)) return "wrong_size";
  const stream = checkStream(terms, imp, type);
  if (stream !== undefined) return stream;
  const advertiser = checkAdvertiser(terms.adomain ?? [], deal, exclusions);
  if (advertiser !== undefined) return advertiser;
  if (isCategoryBlocked(terms, exclusions)) return "category_blocked";
  const battr = imp[type]?.battr;
  if (battr !== undefined && terms.attr?.some((attribute) => battr.includes(attribute)) === true)
    return "attribute_blocked";
  if (isAppBlocked(terms.bundle, exclusions)) return "app_blocked";
  if (isLanguageExcluded(terms, exclusions)) return "language_excluded";
  const { transparency } = exclusions;
  return transparency && !isTransparent(terms.adrender, transparency) ? "transparency_missing" : undefined;
}

/** Whether an ad is excluded from every imp of the request, by its advertiser, its categories or its app. */
export const isExcluded = (
  { adomain = [], bundle, ...categories }: Pick<BidTerms, "adomain" | "cat" | "cattax" | "bundle">,
  exclusions: Exclusions,
): boolean =>
  checkAdvertiser(adomain, undefined, exclusions) !== undefined ||
  isCategoryBlocked(categories, exclusions) ||
  isAppBlocked(bundle, exclusions);

/** A bid must name its advertiser if any advertisers are blocked, or if its deal lists them. */
function checkAdvertiser(
  adomain: readonly string[],
  deal: Deal | undefined,
  exclusions: Exclusions,
): BidFault | undefined {
  const picked = deal?.wadomain !== undefined && deal.wadomain.length > 0 ? deal.wadomain : undefined;
  if (adomain.length === 0)
    return picked !== undefined || exclusions.advertisers.length > 0 ? "advertiser_missing" : undefined;
  for (const name of adomain) {
    const domain = advertiserDomain(name);
    if (domain === undefined) return "advertiser_malformed";
    if (isAdvertiserBlocked(domain, exclusions)) return "advertiser_blocked";
    if (picked !== undefined && !isAdvertiserPicked(domain, picked)) return "advertiser_blocked";
  }
  return undefined;
}
