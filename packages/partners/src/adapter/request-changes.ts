import type { App, BidRequest, Site, SupplyChain, SupplyChainNode } from "@millrace/openrtb";
import { isObject } from "@millrace/openrtb";
import type { RequestChanges } from "./changes.ts";
import type { OpenrtbVersion } from "./prepared-request.ts";

// Building blocks for the changes of a request beside its imps, and for headers.

/** Changes the inventory: the site if the request has one, otherwise the app. */
export function inInventory(change: (object: Site | App) => Site | App): RequestChanges {
  return {
    site: ({ site }) => site && change(site),
    app: ({ site, app }) => (site === undefined && app !== undefined ? change(app) : app),
  };
}

/** Sets the publisher's id at the partner. */
export const publisherId = (id: string | undefined): RequestChanges =>
  id === undefined ? {} : inInventory((object) => ({ ...object, publisher: { ...object.publisher, id } }));

/** Sets the inventory's id at the partner. */
export const inventoryId = (id: string | undefined): RequestChanges =>
  id === undefined ? {} : inInventory((object) => ({ ...object, id }));

/** An object without these fields; undefined if nothing remains. */
export function without<T extends object>(object: T | undefined, ...names: readonly string[]): T | undefined {
  if (object === undefined) return undefined;
  const kept = Object.entries(object).filter(([name]) => !names.includes(name));
  return kept.length === 0 ? undefined : (Object.fromEntries(kept) as T);
}

/** The supply chain where the version has it. */
export function schainOf({ source }: BidRequest): unknown {
  return source?.schain ?? source?.ext?.["schain"];
}

/** Adds the platform's node to the supply chain (section 3.2.25), or puts it in the place of the last one. */
export function withSchainNode(
  request: BidRequest,
  node: SupplyChainNode,
  version: OpenrtbVersion,
  replacesLast = false,
): BidRequest {
  const before = schainOf(request);
  const known = isObject(before) && Array.isArray(before["nodes"]) ? (before as unknown as SupplyChain) : undefined;
  // Without a chain, nobody has said who sold before this platform, which makes it incomplete.
  const nodes = known?.nodes ?? [];
  const others = replacesLast ? nodes.slice(0, -1) : nodes;
  return withSchain(request, { ver: "1.0", complete: 0, ...known, nodes: [...others, node] }, version);
}

/** Replaces the supply chain. No other one stays where a version before had it. */
export function withSchain(request: BidRequest, schain: SupplyChain, version: OpenrtbVersion): BidRequest {
  const { ext, ...source } = request.source ?? {};
  if (version === "2.5") return { ...request, source: { ...source, ext: { ...ext, schain } } };
  const others = without(ext, "schain");
  return { ...request, source: { ...source, schain, ...(others && { ext: others }) } };
}

const DEVICE_HEADERS = {
  "user-agent": ({ device }: BidRequest) => device?.ua,
  "x-forwarded-for": ({ device }: BidRequest) => device?.ip ?? device?.ipv6,
  "accept-language": ({ device }: BidRequest) => device?.language ?? device?.langb,
  dnt: ({ device }: BidRequest) => (device?.dnt === undefined ? undefined : String(device.dnt)),
  referer: ({ site }: BidRequest) => site?.page,
};

/** Headers of the user's device, as far as the request to the partner has them. */
export function deviceHeaders(...names: readonly (keyof typeof DEVICE_HEADERS)[]) {
  return (request: BidRequest): Record<string, string | undefined> =>
    Object.fromEntries(names.map((name) => [name, DEVICE_HEADERS[name](request)]));
}
