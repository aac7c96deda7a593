import { z } from "zod";
import { countColumn, defineStat, microsColumn } from "../../platform/clickhouse/define-stat.ts";
import { OF_APPS, OF_COUNTRIES, OF_DAYS, OF_FORMATS, OF_PROVIDERS, PERIOD, ScopeParams } from "./scope.ts";

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

/** What the sums can be grouped by, and the rows that have such a key at all. */
const GROUPS = {
  period: { key: PERIOD, has: "1" },
  app: { key: "toString(app_id)", has: "1" },
  date: { key: "toString(day)", has: "1" },
  country: { key: "toString(country)", has: "1" },
  format: { key: "format", has: "format != ''" },
  provider: { key: "provider", has: "provider != ''" },
  zone: { key: "zone", has: "zone != ''" },
} as const;
export type SumsGroup = keyof typeof GROUPS;

/** At a provider, requests are those that were sent to it. */
const requestsIn = (group: SumsGroup) =>
  group === "provider" ? "sum(sent)" : "if(empty({providers:Array(String)}), sum(requests), sum(sent))";

const sumsBy = (group: SumsGroup) =>
  defineStat({
    name: `sums-by-${group}`,
    sql: `
SELECT
    ${GROUPS[group].key} AS id,
    ${requestsIn(group)} AS requests,
    sum(stats_daily.impressions) AS impressions,
    sum(stats_daily.clicks) AS clicks,
    sum(stats_daily.sessions) AS sessions,
    sum(stats_daily.session_seconds) AS sessionSeconds,
    sum(stats_daily.revenue_micros) AS revenueMicros
FROM stats_daily
WHERE ${OF_APPS} AND ${OF_DAYS} AND ${OF_PROVIDERS} AND ${OF_FORMATS} AND ${OF_COUNTRIES} AND ${GROUPS[group].has}
GROUP BY id
ORDER BY id`,
    params: ScopeParams,
    row: SumsRow,
  });

/** Sums from the daily rollup. */
export const SUMS = {
  period: sumsBy("period"),
  app: sumsBy("app"),
  date: sumsBy("date"),
  country: sumsBy("country"),
  format: sumsBy("format"),
  provider: sumsBy("provider"),
  zone: sumsBy("zone"),
} satisfies Record<SumsGroup, unknown>;
