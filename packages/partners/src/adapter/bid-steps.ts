import { AUCTION_TYPE, type Bid, dealOf, isObject } from "@millrace/openrtb";
import type { PartnerBid } from "./adapter.ts";
import { atPath } from "./ext-paths.ts";
import type { BidContext } from "./media-type-of-bid.ts";

/** A change of a bid as it was read; null drops it. */
export type BidStep = (read: PartnerBid, context: BidContext) => PartnerBid | null;

type TextField = "adm" | "nurl" | "burl" | "lurl" | "iurl";

/** A step from a function of the bid alone. */
export const onBid =
  (change: (bid: Bid) => Bid): BidStep =>
  (read) => ({ ...read, bid: change(read.bid) });

function onTexts(fields: readonly TextField[], change: (text: string, bid: Bid) => string): BidStep {
  return onBid((bid) => {
    const changed = { ...bid };
    for (const field of fields) {
      const text = bid[field];
      if (text !== undefined) changed[field] = change(text, bid);
    }
    return changed;
  });
}

/**
 * Fills in `${AUCTION_PRICE}`, in the currency of the bid. The auction is first price, so the price is the bid's. A bid on a deal with
 * a fixed price pays that one, so the macro stays for the exchange, which knows what it has booked.
 */
export function priceFilledIn(...fields: readonly TextField[]): BidStep {
  const fill = onTexts(fields, (text, { price }) => text.replaceAll("${AUCTION_PRICE}", String(price)));
  return (read, context) => {
    const deal = context.imp && dealOf(context.imp, read.bid.dealid);
    return deal?.at === AUCTION_TYPE.fixedPrice ? read : fill(read, context);
  };
}

/** Decodes percent-encoded text, with `+` for a space; what is no such encoding stays. */
export const decoded = (...fields: readonly TextField[]): BidStep =>
  onTexts(fields, (text) => {
    try {
      return decodeURIComponent(text.replaceAll("+", " "));
    } catch {
      return text;
    }
  });

/** How long the partner offers bids that do not say so themselves, in seconds. */
export const offeredFor = (seconds: number): BidStep =>
  onBid((bid) => (bid.exp === undefined ? { ...bid, exp: seconds } : bid));

/** The length of a video in seconds, from a path in the bid's `ext`. The standard's own field takes precedence. */
export function durationFromExt(path: string): BidStep {
  const read = atPath(path);
  return (partnerBid) => {
    const seconds =
      partnerBid.mediaType === "video" && partnerBid.bid.dur === undefined ? read(partnerBid.bid.ext) : undefined;
    if (typeof seconds !== "number" || seconds < 0.5) return partnerBid;
    return { ...partnerBid, bid: { ...partnerBid.bid, dur: Math.round(seconds) } };
  };
}

/** Drops bids without a price, which some partners send instead of no bid. */
export const withPriceOnly: BidStep = (read) => (read.bid.price > 0 ? read : null);

/** Takes native markup out of its wrapper, `{"native":{...}}`. */
export const nativeUnwrapped: BidStep = (read) => {
  if (read.mediaType !== "native" || read.bid.adm === undefined) return read;
  try {
    const markup: unknown = JSON.parse(read.bid.adm);
    const native = isObject(markup) ? markup["native"] : undefined;
    return isObject(native) ? { ...read, bid: { ...read.bid, adm: JSON.stringify(native) } } : read;
  } catch {
    return read;
  }
};

/** The seat from a field of the bid's `ext`; without one the response's stays. */
export const seatFromExt =
  (name: string): BidStep =>
  (read) => {
    const seat = read.bid.ext?.[name];
    return typeof seat === "string" && seat !== "" ? { ...read, seat } : read;
  };

/** Restores the imp's id from before the adapter added parts to it, each after a colon. */
export const impIdWithout = (parts: number): BidStep =>
  onBid((bid) => ({ ...bid, impid: bid.impid.split(":").slice(0, -parts).join(":") || bid.impid }));

/** Removes the bid's `ext`. */
export const withoutExt: BidStep = onBid((bid) => {
  const bare = { ...bid };
  delete bare.ext;
  return bare;
});
