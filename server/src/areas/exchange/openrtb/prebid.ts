import { type BidRequest, type Ext, type Imp, isObject } from "@millrace/openrtb";
import type { RequestParams } from "../auction/bidders.ts";
import type { Snapshot } from "../config/snapshot.ts";

/** What a Prebid client asks for beside the standard. */
export interface PrebidAsk {
  /** The partners it names, with its keys for them; undefined where it names none and the app's own are asked. */
  paramsInRequest: RequestParams[] | undefined;
  /** Names that are no partner of this platform. */
  unknown: string[];
  /** `ext.prebid.targeting`, where the client wants the ad server's keys made for it. */
  targeting: Ext | null;
  /** `ext.prebid.cache.vastxml`, where the client wants video markup by an address. */
  cacheVast: { ttlSeconds: number | undefined; returnsCreative: boolean } | null;
}

/** Each costs the answer a sentence: enough to find a mistake by, too few to make a large answer of a small request. */
const MAX_UNKNOWN = 20;
const NO_KEYS: Record<string, unknown> = {};

/** Reads `ext.prebid` of a request and its imps; null for a request that has neither. Never throws: what is not as expected is not there. */
export function readPrebid(request: BidRequest, { partners }: Snapshot): PrebidAsk | null {
  const own = prebidOf(request.ext);
  const asked = request.imp.map((imp) => ({ imp, prebid: prebidOf(imp.ext) }));
  if (own === null && asked.every(({ prebid }) => prebid === null)) return null;
  const byPartner = new Map<string, Map<string, Record<string, unknown>>>();
  const unknown = new Set<string>();
  let isNamed = false;
  for (const { imp, prebid } of asked) {
    const named = prebid?.["bidder"];
    if (!isObject(named)) continue;
    isNamed = true;
    for (const [name, keys] of Object.entries(named)) {
      if (!partners.has(name)) {
        if (unknown.size < MAX_UNKNOWN) unknown.add(name);
        continue;
      }
      const byImp = byPartner.get(name) ?? new Map<string, Record<string, unknown>>();
      byImp.set(imp.id, isObject(keys) ? keys : NO_KEYS);
      byPartner.set(name, byImp);
    }
  }
  const targeting = own?.["targeting"];
  return {
    paramsInRequest: isNamed
      ? [...byPartner].flatMap(([name, byImp]) => {
          const partner = partners.get(name);
          return partner ? { partner, byImp } : [];
        })
      : undefined,
    unknown: [...unknown],
    targeting: isObject(targeting) ? targeting : null,
    cacheVast: cacheVastOf(own),
  };
}

/** As Prebid Server reads it: any object asks for the cache, and the markup itself is left out where that is said. */
function cacheVastOf(own: Ext | null): PrebidAsk["cacheVast"] {
  const cache = own?.["cache"];
  const vastxml = isObject(cache) ? cache["vastxml"] : undefined;
  if (!isObject(vastxml)) return null;
  const { ttlseconds, returnCreative } = vastxml;
  return {
    ttlSeconds: typeof ttlseconds === "number" && Number.isFinite(ttlseconds) ? ttlseconds : undefined,
    returnsCreative: returnCreative !== false,
  };
}

function prebidOf(ext: Imp["ext"]): Ext | null {
  const prebid = ext?.["prebid"];
  return isObject(prebid) ? prebid : null;
}
