import { type BidRequest, type Ext, isObject } from "@millrace/openrtb";

/**
 * The bidders that may see what the publisher itself knows of the user and the content (`ext.prebid.data.bidders`), in lower case, because
 * Prebid Server ignores the case, too; null if all may. A list that cannot be read names nobody.
 */
export function firstPartyDataBidders({ ext }: BidRequest): ReadonlySet<string> | null {
  const prebid = ext?.["prebid"];
  const data = isObject(prebid) ? prebid["data"] : undefined;
  const bidders = isObject(data) ? data["bidders"] : undefined;
  if (bidders === undefined || bidders === null) return null;
  const names = Array.isArray(bidders) ? (bidders as unknown[]) : [];
  return new Set(names.filter((name) => typeof name === "string").map((name) => name.toLowerCase()));
}

/** The request without `ext.data` and `data` of the app, site or screen, its content, and the user. */
export function withoutFirstPartyData(full: BidRequest): BidRequest {
  const request: BidRequest = { ...full };
  for (const part of ["app", "site", "dooh"] as const) {
    const place = request[part];
    if (!place) continue;
    const { content } = place;
    Object.assign(request, { [part]: { ...withoutData(place), ...(content && { content: withoutData(content) }) } });
  }
  if (request.user) request.user = withoutData(request.user);
  return request;
}

function withoutData<T extends { data?: unknown; ext?: Ext }>({ data: _data, ...rest }: T): T {
  const { data: _own, ...ext } = rest.ext ?? {};
  return { ...rest, ...(rest.ext && { ext }) } as T;
}
