import { type Offer, requestFloorMicros } from "@millrace/auction";
import type { BidRequest } from "@millrace/openrtb";

/**
 * Sets the floors in the request that buyers get: an imp has the floor of its offer (CPM in US dollars) if the publisher's is
 * above the request's own. A floor in a currency without a rate stays unchanged. Returns the offers with the imps of that
 * request, so that no floor is looked up again to check bids.
 */
export function withFloors(
  request: BidRequest,
  offers: readonly Offer[],
  ratesToUsd?: Readonly<Record<string, number>>,
): { request: BidRequest; offers: Offer[] } {
  const told = offers.map((offer) => {
    const { imp, floorMicros } = offer;
    if (floorMicros === null || floorMicros === requestFloorMicros(imp, ratesToUsd)) return offer;
    return { ...offer, imp: { ...imp, bidfloor: floorMicros / 1_000_000, bidfloorcur: "USD" } };
  });
  const isSame = told.every((offer, index) => offer === offers[index]);
  return { request: isSame ? request : { ...request, imp: told.map(({ imp }) => imp) }, offers: told };
}
