import { type Bid, fitsExpanded, type MacroValues } from "@millrace/openrtb";

/** The longest nurl, burl or lurl, in characters, before and after its macros are filled. */
export const MAX_NOTICE_LENGTH = 4096;
/** Longest markup, in the same way. */
export const MAX_MARKUP_LENGTH = 256 * 1024;

/** As wide as a price gets that is known only after the decision. */
const WIDEST_PRICE = "9".repeat(20);

const NOTICES = ["nurl", "burl", "lurl"] as const;

/** A bid with the texts that fill its macros. */
interface ReadTexts {
  bid: Bid;
  seat?: string;
  responseId?: string;
}

interface LongText {
  fault: "notice_too_long" | "markup_too_long";
  faultPath: string;
}

/**
 * The first text of a bid that is too long to keep or send; null if all fit. Notices wait in memory and on disk until
 * the impression, and markup is part of the answer, so a single bidder could fill both.
 */
export function findLongText(read: ReadTexts, requestId: string): LongText | null {
  const { bid } = read;
  let values: MacroValues | undefined;
  const fits = (text: string | undefined, maxLength: number) => {
    if (text === undefined) return true;
    if (text.length > maxLength) return false;
    // Most texts have no macros, so the values are rarely needed.
    return !text.includes("AUCTION_") || fitsExpanded(text, (values ??= valuesOf(read, requestId)), maxLength);
  };
  for (const name of NOTICES) {
    if (!fits(bid[name], MAX_NOTICE_LENGTH)) return { fault: "notice_too_long", faultPath: name };
  }
  return fits(bid.adm, MAX_MARKUP_LENGTH) ? null : { fault: "markup_too_long", faultPath: "adm" };
}

// One literal: spreading a constant into it takes many times as long.
const valuesOf = ({ bid, seat, responseId }: ReadTexts, requestId: string): MacroValues => ({
  AUCTION_ID: requestId,
  AUCTION_IMP_ID: bid.impid,
  AUCTION_BID_ID: responseId ?? bid.id,
  AUCTION_SEAT_ID: seat ?? "",
  AUCTION_AD_ID: bid.adid ?? "",
  AUCTION_PRICE: WIDEST_PRICE,
  AUCTION_MIN_TO_WIN: WIDEST_PRICE,
  AUCTION_CURRENCY: "USD",
  AUCTION_LOSS: 999,
  AUCTION_MULTIPLIER: 1,
  AUCTION_IMP_TS: Number.MAX_SAFE_INTEGER,
});
