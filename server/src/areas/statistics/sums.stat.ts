import { z } from "zod";
import { countColumn, defineStat, microsColumn } from "../../platform/clickhouse/define-stat.ts";
import { OF_APPS, OF_COUNTRIES, OF_DAYS, OF_FORMATS, OF_PROVIDERS, ScopeParams } from "./scope.ts";

/** Counts and money of one group; `id` is the group's key. */
export const SumsRow = z.object({
  id: z.string(),
  requests: countColumn,
  impressions: countColumn,
  clicks: countColumn,
  sessions: countColumn,
  sessionSeconds: countColumn,
  revenueMicros: microsColumn,
});
export type Sums = z.output<typeof SumsRow>;

/** The key of all rows together: of the group `total`, and among the groups of `app`. */
export const TOTAL = "";

/** What the sums can be grouped by, and the rows that have such a key at all. */
export const GROUPS = {
  total: { key: "''", has: "1" },
  app: { key: "toString(app_id)", has: "1" },
  date: { key: "toString(day)", has: "1" },
  country: { key: "toString(country)", has: "1" },
  format: { key: "format", has: "format != ''" },
  provider: { key: "provider", has: "provider != ''" },
  zone: { key: "zone", has: "zone != ''" },
} as const;
export type SumsGroup = keyof typeof GROUPS;

/** At a provider, requests are those that were sent to it. */
const ofProviders = (group: SumsGroup) => (group === "provider" ? "1" : "notEmpty({providers:Array(String)})");

const sumsBy = (group: SumsGroup) =>
  defineStat({
    name: `sums-by-${group}`,
    sql: `
SELECT
    ${GROUPS[group].key} AS id,
    sum(part.requests) AS requests,
    sum(part.impressions) AS impressions,
    sum(part.clicks) AS clicks,
    sum(part.sessions) AS sessions,
    sum(part.session_seconds) AS sessionSeconds,
    sum(part.revenue_micros) AS revenueMicros
FROM
(
    SELECT app_id, day, provider, format, country, zone,
        requests, impressions, clicks, sessions, session_seconds, revenue_micros
    FROM stats_daily
    WHERE ${OF_APPS} AND ${OF_DAYS} AND ${OF_PROVIDERS} AND ${OF_FORMATS} AND ${OF_COUNTRIES}
    UNION ALL
    SELECT app_id, day, provider, format, country, zone,
        sent AS requests, toUInt64(0), toUInt64(0), toUInt64(0), toUInt64(0), toInt64(0)
    FROM sent_daily
    WHERE ${ofProviders(group)}
        AND ${OF_APPS} AND ${OF_DAYS} AND ${OF_PROVIDERS} AND ${OF_FORMATS} AND ${OF_COUNTRIES}
) AS part
WHERE ${GROUPS[group].has}
GROUP BY id${group === "app" ? " WITH ROLLUP" : ""}
ORDER BY id`,
    params: ScopeParams,
    row: SumsRow,
  });

/** Sums from the daily rollup. By app, the row of all apps is among them. */
export const SUMS = {
  total: sumsBy("total"),
  app: sumsBy("app"),
  date: sumsBy("date"),
  country: sumsBy("country"),
  format: sumsBy("format"),
  provider: sumsBy("provider"),
  zone: sumsBy("zone"),
} satisfies Record<SumsGroup, unknown>;
