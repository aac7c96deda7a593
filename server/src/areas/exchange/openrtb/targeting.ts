import { type Ext, isObject, type MediaType } from "@millrace/openrtb";
import type { CachedMarkup } from "../markup/markup-cache.ts";

interface Range {
  min: number;
  max: number;
  increment: number;
}
interface Granularity {
  precision: number;
  ranges: readonly Range[];
}

const upTo = (...steps: [max: number, increment: number][]): Granularity => ({
  precision: 2,
  ranges: steps.map(([max, increment], index) => ({ min: steps[index - 1]?.[0] ?? 0, max, increment })),
});

const MEDIUM = upTo([20, 0.1]);
/** Prebid's named price granularities. A map, because callers choose the name, and an object has a `constructor`. */
const NAMED: ReadonlyMap<string, Granularity> = new Map([
  ["low", upTo([5, 0.5])],
  ["med", MEDIUM],
  ["medium", MEDIUM],
  ["high", upTo([20, 0.01])],
  ["auto", upTo([5, 0.05], [10, 0.1], [20, 0.5])],
  ["dense", upTo([3, 0.01], [8, 0.05], [20, 0.5])],
]);
const MAX_KEY = 20;
const MAX_PRECISION = 15;

export interface TargetedBid {
  /** Its name in the response. */
  bidder: string;
  impId: string;
  mediaType: MediaType;
  /** CPM in micro-dollars. */
  priceMicros: number;
  w: number | null;
  h: number | null;
  dealId: string | undefined;
  /** The addresses of its VAST and of the bid itself, if they are cached. */
  cachedVast: CachedMarkup | undefined;
  cachedBid: CachedMarkup | undefined;
  /** Whether it is shown in an app. */
  isApp: boolean;
}

/** A bid's ad server keys, as requested in `ext.prebid.targeting`: for the imp's best bid, and for each bidder's. */
export function targetingOf(ask: Ext, bid: TargetedBid, isBest: boolean): Record<string, string> {
  const prefix = typeof ask["prefix"] === "string" && ask["prefix"].length <= 10 ? ask["prefix"] : "hb";
  const cached = bid.cachedVast ?? bid.cachedBid;
  const values: [string, string | undefined][] = [
    ["pb", priceBucket(bid.priceMicros, granularityFor(ask, bid.mediaType))],
    ["bidder", bid.bidder],
    ["size", bid.w && bid.h ? `${bid.w}x${bid.h}` : undefined],
    ["format", ask["includeformat"] === true ? bid.mediaType : undefined],
    ["env", bid.isApp ? "mobile-app" : undefined],
    ["deal", bid.dealId],
    ["uuid", bid.cachedVast?.id],
    ["cache_id", bid.cachedBid?.id],
    ["cache_host", cached?.host],
    ["cache_path", cached?.path],
  ];
  const keys: Record<string, string> = {};
  for (const [name, value] of values) {
    if (value === undefined) continue;
    if (isBest && ask["includewinners"] !== false) keys[`${prefix}_${name}`] = value;
    if (ask["includebidderkeys"] !== false) keys[`${prefix}_${name}_${bid.bidder}`.slice(0, MAX_KEY)] = value;
  }
  return keys;
}

/** Rounds a price down to its step, such as `1.20`. Above the last range it is that range's maximum; without ranges, 0. */
function priceBucket(priceMicros: number, { precision, ranges }: Granularity): string {
  const price = priceMicros / 1_000_000;
  const last = ranges.at(-1);
  if (!last) return (0).toFixed(precision);
  if (price >= last.max) return last.max.toFixed(precision);
  const range = ranges.find(({ min, max }) => price >= min && price < max);
  if (!range) return (0).toFixed(precision);
  // In millionths, because 0.3 / 0.1 is slightly less than 3.
  const step = Math.max(1, Math.round(range.increment * 1_000_000));
  const start = Math.round(range.min * 1_000_000);
  const bucket = start + Math.floor((priceMicros - start) / step) * step;
  return (bucket / 1_000_000).toFixed(precision);
}

/** The granularity of a media type, if the client has one for it, else the one for all. */
function granularityFor({ mediatypepricegranularity: byType, pricegranularity }: Ext, type: MediaType): Granularity {
  const own = isObject(byType) && Object.hasOwn(byType, type) ? byType[type] : undefined;
  return granularityOf(own ?? pricegranularity);
}

function granularityOf(value: unknown): Granularity {
  if (typeof value === "string") return NAMED.get(value) ?? MEDIUM;
  if (!isObject(value) || !Array.isArray(value["ranges"])) return MEDIUM;
  const ranges: Range[] = [];
  for (const each of value["ranges"] as unknown[]) {
    const [max, increment] = isObject(each) ? [each["max"], each["increment"]] : [];
    const min = ranges.at(-1)?.max ?? 0;
    if (typeof max !== "number" || typeof increment !== "number" || !(max > min) || !(increment > 0)) return MEDIUM;
    ranges.push({ min, max, increment });
  }
  const precision = value["precision"];
  const digits = Number.isInteger(precision) ? Math.min(MAX_PRECISION, Math.max(0, precision as number)) : 2;
  return ranges.length === 0 ? MEDIUM : { precision: digits, ranges };
}
