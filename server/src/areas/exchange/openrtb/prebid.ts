import { type BidRequest, type Ext, type Imp, isObject } from "@millrace/openrtb";
import { Problem } from "../../../platform/http/problem.ts";
import type { RequestParams } from "../auction/bidders.ts";
import type { Snapshot } from "../config/snapshot.ts";

/** A Prebid client's additions to the standard request. */
export interface PrebidAsk {
  /** The partners it names, with its keys for them; undefined if it names none, so that the app's own apply. */
  paramsInRequest: RequestParams[] | undefined;
  /** Names that are not partners of this platform. */
  unknown: string[];
  /** `ext.prebid.bidadjustmentfactors`: by what the client multiplies a bidder's prices, by the bidder's name in lower case. */
  factors: ReadonlyMap<string, number>;
  /** `ext.prebid.targeting`: the client wants ad server keys. */
  targeting: Ext | null;
  /** `ext.prebid.cache.vastxml`: the client wants the address of video markup. */
  cacheVast: CacheAsk | null;
  /** `ext.prebid.cache.bids`: it wants the address of each bid, from which its ad server's creative loads the markup. */
  cacheBids: CacheAsk | null;
}

export interface CacheAsk {
  ttlSeconds: number | undefined;
  /** Whether it wants the markup in the response as well. */
  returnsCreative: boolean;
}

/** Enough warnings to find a mistake, and too few to amplify a small request. */
const MAX_UNKNOWN = 20;
/** Each name costs a call of its own, and a small request must not cause hundreds. */
const MAX_ALIASES = 5;

/**
 * Reads `ext.prebid` of a request and its imps; null if neither has it. Malformed parts are ignored, but not malformed aliases, which do
 * not tell who is to be asked, nor malformed factors, without which prices would be wrong: Problem `invalid` names the first.
 */
export function readPrebid(request: BidRequest, { partners }: Snapshot): PrebidAsk | null {
  const own = prebidOf(request.ext);
  const asked = request.imp.map((imp) => ({ imp, prebid: prebidOf(imp.ext) }));
  if (own === null && asked.every(({ prebid }) => prebid === null)) return null;
  const aliases = readAliases(own, partners);
  const shared = own?.["bidderparams"];
  const byName = new Map<string, Map<string, Record<string, unknown>>>();
  const unknown = new Set<string>();
  let isNamed = false;
  for (const { imp, prebid } of asked) {
    const named = prebid?.["bidder"];
    if (!isObject(named)) continue;
    isNamed = true;
    for (const [name, keys] of Object.entries(named)) {
      if (!partners.has(name) && !aliases.has(name)) {
        if (unknown.size < MAX_UNKNOWN) unknown.add(name);
        continue;
      }
      const byImp = byName.get(name) ?? new Map<string, Record<string, unknown>>();
      byImp.set(imp.id, { ...sharedParams(shared, name), ...(isObject(keys) && keys) });
      byName.set(name, byImp);
    }
  }
  const targeting = own?.["targeting"];
  return {
    paramsInRequest: isNamed
      ? [...byName].flatMap(([name, byImp]) => {
          const partner = partners.get(aliases.get(name) ?? name);
          return partner ? { name, partner, byImp } : [];
        })
      : undefined,
    unknown: [...unknown],
    factors: readFactors(own),
    targeting: isObject(targeting) ? targeting : null,
    cacheVast: cacheOf(own, "vastxml"),
    cacheBids: cacheOf(own, "bids"),
  };
}

/** The partners' ids by their aliases in a request. As in Prebid Server, an alias stands for a bidder, and never for another alias. */
function readAliases(own: Ext | null, partners: Snapshot["partners"]): ReadonlyMap<string, string> {
  const aliases = new Map<string, string>();
  const raw = own?.["aliases"];
  if (!isObject(raw)) return aliases;
  const counts = new Map<string, number>();
  for (const [alias, bidder] of Object.entries(raw)) {
    const refuse = (why: string) => new Problem("invalid", { [`ext.prebid.aliases.${alias}`]: why });
    if (typeof bidder !== "string") throw refuse("must be the name of a bidder");
    if (!partners.has(bidder)) throw refuse(`refers to an unknown bidder: ${bidder}`);
    if (partners.has(alias)) throw refuse("is a bidder's own name: choose a different alias");
    const count = (counts.get(bidder) ?? 0) + 1;
    if (count > MAX_ALIASES) throw refuse(`is one of more than ${MAX_ALIASES} aliases of ${bidder}`);
    counts.set(bidder, count);
    aliases.set(alias, bidder);
  }
  return aliases;
}

/** Factors by media type, which only Prebid Server's Java version has. */
const BY_MEDIA_TYPE = "mediatypes";

function readFactors(own: Ext | null): ReadonlyMap<string, number> {
  const factors = new Map<string, number>();
  const raw = own?.["bidadjustmentfactors"];
  if (!isObject(raw)) return factors;
  for (const [name, factor] of Object.entries(raw)) {
    if (name === BY_MEDIA_TYPE && isObject(factor)) continue;
    if (typeof factor !== "number" || !(factor > 0)) {
      throw new Problem("invalid", { [`ext.prebid.bidadjustmentfactors.${name}`]: "must be a positive number" });
    }
    factors.set(name.toLowerCase(), factor);
  }
  return factors;
}

/** A bidder's price as the Prebid client sees it, in micro-dollars. What the bidder pays does not change. */
export const adjustedMicros = (prebid: PrebidAsk | null, seat: string, priceMicros: number): number =>
  Math.min(Number.MAX_SAFE_INTEGER, Math.round(priceMicros * (prebid?.factors.get(seat.toLowerCase()) ?? 1)));

/** A bidder's keys for all imps (`ext.prebid.bidderparams`); an imp's own keys replace them one by one. */
function sharedParams(shared: unknown, name: string): Ext {
  const own = isObject(shared) && Object.hasOwn(shared, name) ? shared[name] : undefined;
  return isObject(own) ? own : {};
}

/**
 * Adds a file type to the videos of stored imps: Prebid's SDK for apps sends none, because a Prebid Server reads them from the stored
 * imp. Every player takes MP4.
 */
export function completeStoredImps(body: unknown): unknown {
  if (!isObject(body) || !Array.isArray(body["imp"])) return body;
  const imp = (body["imp"] as unknown[]).map((each) => {
    if (!isObject(each) || !isObject(each["video"]) || !isObject(each["ext"])) return each;
    if (storedRequestOf(each["ext"]) === undefined || (each["video"]["mimes"] ?? null) !== null) return each;
    return { ...each, video: { ...each["video"], mimes: ["video/mp4"] } };
  });
  return { ...body, imp };
}

/** As in Prebid Server, any object turns on the cache, and `returnCreative: false` leaves out the markup. */
function cacheOf(own: Ext | null, what: "vastxml" | "bids"): CacheAsk | null {
  const cache = own?.["cache"];
  const asked = isObject(cache) ? cache[what] : undefined;
  if (!isObject(asked)) return null;
  const { ttlseconds, returnCreative } = asked;
  return {
    ttlSeconds: typeof ttlseconds === "number" && Number.isFinite(ttlseconds) ? ttlseconds : undefined,
    returnsCreative: returnCreative !== false,
  };
}

/** The id of a stored request, as Prebid's SDK for apps sends it: the account's in a request, the ad unit's in an imp. */
export function storedRequestOf(ext: Imp["ext"]): string | undefined {
  const stored = prebidOf(ext)?.["storedrequest"];
  const id = isObject(stored) ? stored["id"] : undefined;
  return typeof id === "string" && id !== "" ? id : undefined;
}

function prebidOf(ext: Imp["ext"]): Ext | null {
  const prebid = ext?.["prebid"];
  return isObject(prebid) ? prebid : null;
}
