import { CAMPAIGN_PROVIDER } from "@millrace/contract";
import { z } from "zod";
import { countColumn, defineStat } from "../../platform/clickhouse/define-stat.ts";

/** Conditions on recorded requests by the parameter that sets them. */
const CONDITIONS = {
  zones: "zone IN {zones:Array(String)}",
  formats: "format IN {formats:Array(String)}",
  countries: "country IN {countries:Array(String)}",
  reasons: "no_ad IN {reasons:Array(String)}",
  winners: "winner IN {winners:Array(String)}",
  partners: "hasAny(asked, {partners:Array(String)})",
} as const;
export type RequestFilters = Record<keyof typeof CONDITIONS, readonly string[]> & {
  /** Only requests with an ad, or only those without; null for both. */
  isSold: boolean | null;
};

const Place = z.object({ atMs: z.int(), auction: z.guid(), imp: z.string() });
/** A request's place in the list: newest first, then by auction and imp. */
export type Place = z.output<typeof Place>;

const moment = (param: string) => `fromUnixTimestamp64Milli({${param}:Int64}, 'UTC')`;

/**
 * Requests of an app on some days, from `fromMs` up to `toMs`, newest first. The query names only the filters that are set: a
 * condition is analysed, and evaluated for every row.
 */
export function requestsOf(filters: RequestFilters) {
  const set = (Object.keys(CONDITIONS) as (keyof typeof CONDITIONS)[]).filter((name) => filters[name].length > 0);
  const { isSold } = filters;
  const conditions = [
    ...set.map((name) => CONDITIONS[name]),
    ...(isSold === null ? [] : [isSold ? "no_ad = ''" : "no_ad != ''"]),
  ];
  return defineStat({
    name: `requests ${conditions.join(" ")}`,
    sql: `
SELECT
    toUnixTimestamp64Milli(at) AS atMs,
    toString(auction_id) AS auction,
    toString(imp_id) AS imp,
    zone,
    format,
    toString(country) AS country,
    winner,
    price_micros AS price,
    no_ad AS noAd,
    length(asked) - has(asked, '${CAMPAIGN_PROVIDER.id}') AS partners,
    toFloat64(duration_ms) AS durationMs
FROM auctions
WHERE app_id = {app:UInt32} AND toDate(at) IN {days:Array(Date)}
  AND at >= ${moment("fromMs")} AND at < ${moment("toMs")}
  AND (at, auction_id, imp_id) < (${moment("beforeMs")}, {beforeAuction:UUID}, {beforeImp:String})${conditions.map((each) => ` AND ${each}`).join("")}
ORDER BY auctions.at DESC, auctions.auction_id DESC, auctions.imp_id DESC
LIMIT {rows:UInt32}`,
    params: z.object({
      app: z.int(),
      days: z.array(z.iso.date()),
      fromMs: z.int(),
      toMs: z.int(),
      beforeMs: z.int(),
      beforeAuction: z.guid(),
      beforeImp: z.string(),
      zones: z.array(z.string()),
      formats: z.array(z.string()),
      countries: z.array(z.string()),
      reasons: z.array(z.string()),
      winners: z.array(z.string()),
      partners: z.array(z.string()),
      rows: z.int(),
      /** The day of the last moment, by which the store's answers are kept. */
      de: z.iso.date(),
    }),
    row: z.object({
      atMs: countColumn,
      auction: z.guid(),
      imp: z.string(),
      zone: z.string(),
      format: z.string(),
      country: z.string(),
      winner: z.string(),
      price: countColumn,
      noAd: z.string(),
      /** How many partners were asked. The platform's own campaigns bid without being asked. */
      partners: countColumn,
      durationMs: z.number(),
    }),
  });
}
export type FoundRequest = z.output<ReturnType<typeof requestsOf>["row"]>;

const PLACED = ["zones", "formats", "countries"] as const;
/** The rollups that count requests by day, each with the filters that it knows. None knows winners: those were asked. */
const ROLLUPS = {
  stats_daily: { sum: "requests", only: "provider = ''", knows: PLACED },
  no_ad_daily: { sum: "requests", only: "1", knows: ["reasons", "formats", "countries"] },
  sent_daily: { sum: "sent", only: "provider IN {providers:Array(String)}", knows: PLACED },
} as const satisfies Record<string, { sum: string; only: string; knows: readonly (keyof typeof CONDITIONS)[] }>;
export type RequestRollup = keyof typeof ROLLUPS;

/** The days on which an app had such requests, with at most how many, as far as one rollup knows. */
export function requestDays(rollup: RequestRollup, filters: RequestFilters) {
  const { sum, only, knows } = ROLLUPS[rollup];
  const set = knows.filter((name) => filters[name].length > 0).map((name) => CONDITIONS[name]);
  return defineStat({
    name: `request-days ${rollup} ${set.join(" ")}`,
    sql: `
SELECT toString(day) AS on, sum(${sum}) AS most
FROM ${rollup}
WHERE app_id = {app:UInt32} AND day BETWEEN {ds:Date} AND {de:Date} AND ${[only, ...set].join(" AND ")}
GROUP BY on
HAVING most > 0`,
    params: z.object({
      app: z.int(),
      ds: z.iso.date(),
      de: z.iso.date(),
      zones: z.array(z.string()),
      formats: z.array(z.string()),
      countries: z.array(z.string()),
      reasons: z.array(z.string()),
      providers: z.array(z.string()),
    }),
    row: z.object({ on: z.iso.date(), most: countColumn }),
  });
}

/** Which of these auctions have a trace. */
export const tracedAuctions = defineStat({
  name: "traced-auctions",
  sql: `SELECT toString(auction_id) AS auction FROM traces
    WHERE auction_id IN {auctions:Array(UUID)} AND at >= ${moment("fromMs")} AND at <= ${moment("toMs")}`,
  params: z.object({ auctions: z.array(z.guid()), fromMs: z.int(), toMs: z.int(), de: z.iso.date() }),
  row: z.object({ auction: z.guid() }),
});
