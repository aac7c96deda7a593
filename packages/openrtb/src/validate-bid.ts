import type { BidFault } from "./bid-faults.ts";
import type { Deal, Imp } from "./bid-request.ts";
import type { Bid } from "./bid-response.ts";
import { type BidTerms, checkCreative, checkSeat, dealOf } from "./bid-rules.ts";
import type { Exclusions } from "./exclusions.ts";

/** What a bid is held against. */
export interface BidContext {
  imps: ReadonlyMap<string, Imp>;
  exclusions: Exclusions;
  /** Currencies that the request accepts. */
  currencies: readonly string[];
  /** Least acceptable CPM for a bid in `cur`; of the deal where the bid names one. */
  floor(imp: Imp, deal: Deal | undefined, cur: string): number;
}

/** The terms of a bid as OpenRTB has them. */
export function termsOf(bid: Bid, seat?: string): BidTerms {
  const { mtype, w, h, wratio, hratio, adomain, cat, attr, bundle, dealid: dealId } = bid;
  return { mtype, w, h, wratio, hratio, adomain, cat, attr, bundle, dealId, seat };
}

/**
 * Holds a well-formed bid (see `validateBidResponse`) against its request; undefined when it may win.
 * The first fault counts, in the order of the reasons in `BID_FAULTS`.
 */
export function validateBid(bid: Bid, context: BidContext, cur = "USD", seat?: string): BidFault | undefined {
  const imp = context.imps.get(bid.impid);
  if (imp === undefined) return "unknown_imp";
  if (!Number.isFinite(bid.price)) return "price_missing";
  if (bid.price <= 0) return "price_not_positive";
  if (!context.currencies.includes(cur)) return "wrong_currency";
  const terms = termsOf(bid, seat);
  const deal = dealOf(imp, bid.dealid);
  const shutOut = checkSeat(terms, imp, deal, context.exclusions);
  if (shutOut !== undefined) return shutOut;
  if (bid.price < context.floor(imp, deal, cur)) return deal === undefined ? "below_floor" : "below_deal_floor";
  const creative = checkCreative(terms, imp, deal, context.exclusions);
  if (creative !== undefined) return creative;
  return (bid.adm ?? "") === "" && (bid.nurl ?? "") === "" ? "markup_missing" : undefined;
}
