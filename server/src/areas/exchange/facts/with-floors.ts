import { type AdFormat, type FloorRule, publisherFloorMicros, requestFloorMicros } from "@millrace/auction";
import type { BidRequest } from "@millrace/openrtb";

/**
 * The request as buyers get it: each imp has the publisher's floor for its format and country (CPM in US dollars) if
 * that is above the request's own. A floor in a currency without a rate stays as it is.
 */
export function withFloors(
  request: BidRequest,
  of: { floors: readonly FloorRule[]; country: string; formats: Readonly<Record<string, AdFormat>> },
): BidRequest {
  if (of.floors.length === 0) return request;
  const imp = request.imp.map((one) => {
    const format = of.formats[one.id];
    const asked = requestFloorMicros(one, undefined);
    const own = format === undefined ? 0 : publisherFloorMicros(of.floors, of.country, format);
    return asked === null || own <= asked ? one : { ...one, bidfloor: own / 1_000_000, bidfloorcur: "USD" };
  });
  return { ...request, imp };
}
