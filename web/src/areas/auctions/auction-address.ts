import { type Search, oneOf } from "../../shared/filters/address.ts";
import type { AxisKind } from "./price-axis.ts";

/** What the page of an auction shows: one of its imps, the partner on the wire, and the axis of the bids. */
export interface AuctionAddress {
  imp: string | undefined;
  partner: string | undefined;
  axis: AxisKind | undefined;
}

const textOf = (value: unknown) => (typeof value === "string" && value !== "" ? value : undefined);

export function readAuctionAddress(search: Search): AuctionAddress {
  const axis = oneOf(["log", "linear"], search["axis"], "log");
  return { imp: textOf(search["imp"]), partner: textOf(search["partner"]), axis: axis === "log" ? undefined : axis };
}
