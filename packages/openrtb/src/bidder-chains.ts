import type { BidRequest, SupplyChain } from "./bid-request.ts";
import { type Check, extension, inside, isObject, type JsonObject, listOf, object, text } from "./check.ts";
import { schain } from "./source-shapes.ts";
import { withoutNulls } from "./without-nulls.ts";

/** A supply chain for single bidders by their names in the request, or with `*` for all others (`ext.prebid.schains`). */
export interface BidderChain {
  bidders: readonly string[];
  schain: SupplyChain;
}

const OTHERS = "*";

const chains: Check = listOf(object({ bidders: listOf(text), schain }, { required: ["bidders", "schain"] }));

/** As in Prebid Server, no bidder has two chains. */
const chainsOfOneEach: Check = (value) => {
  const fault = chains(value);
  if (fault !== null) return fault;
  const seen = new Set<string>();
  for (const [index, { bidders }] of (value as BidderChain[]).entries()) {
    for (const [place, name] of bidders.entries()) {
      if (seen.has(name)) {
        return { path: `[${index}].bidders[${place}]`, message: "must be named once, because a bidder has one chain" };
      }
      seen.add(name);
    }
  }
  return null;
};

/** The extension of a request. A supply chain of the wrong type is refused by name, as in `source`; all else may be anything. */
export const requestExt: Check = (value) => {
  const fault = extension(value);
  if (fault !== null) return fault;
  const schains = prebidOf(value as JsonObject)?.["schains"] ?? null;
  const wrong = schains === null ? null : chainsOfOneEach(schains);
  return wrong && inside("prebid", inside("schains", wrong));
};

const prebidOf = (ext: JsonObject | undefined): JsonObject | undefined => {
  const prebid = ext?.["prebid"];
  return isObject(prebid) ? prebid : undefined;
};

/** The chains for single bidders in a validated request. */
export function bidderChains({ ext }: BidRequest): readonly BidderChain[] {
  const schains = prebidOf(ext)?.["schains"];
  return Array.isArray(schains) ? withoutNulls(schains as BidderChain[]) : [];
}

/** The request with these chains for single bidders. */
export const withBidderChains = (request: BidRequest, schains: readonly BidderChain[]): BidRequest => ({
  ...request,
  ext: { ...request.ext, prebid: { ...prebidOf(request.ext), schains } },
});

/** The chain for a bidder; undefined if the one of the whole request applies. */
export const chainFor = (chains: readonly BidderChain[], name: string): SupplyChain | undefined =>
  (chains.find(({ bidders }) => bidders.includes(name)) ?? chains.find(({ bidders }) => bidders.includes(OTHERS)))
    ?.schain;
