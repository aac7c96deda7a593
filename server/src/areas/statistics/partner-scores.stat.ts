import type { ClickHouseClient } from "@clickhouse/client";
import { CAMPAIGN_PROVIDER } from "@millrace/contract";
import { z } from "zod";
import { countColumn, defineStat, microsColumn, runStat } from "../../platform/clickhouse/define-stat.ts";
import { OF_APPS, OF_COUNTRIES, OF_DAYS, OF_FORMATS, ScopeParams } from "./scope.ts";

/** A figure of a sketch; null if nothing was measured. */
const sketched = z
  .number()
  .nullable()
  .transform((value) => (value === null || Number.isNaN(value) ? null : value));

const COUNTS = ["asked", "bids", "wins", "timeouts", "errors"] as const;
const SUMS = COUNTS.map((count) => `sum(partner_daily.${count}) AS ${count}`).join(", ");
const OF_SCOPE = `${OF_APPS} AND ${OF_DAYS} AND ${OF_FORMATS} AND ${OF_COUNTRIES}`;

/** Campaigns are found in memory: nobody waits for their answer, so that it has no time and cannot be late. */
const IS_WAITED_FOR = `provider != '${CAMPAIGN_PROVIDER.id}'`;

const Counted = z.object({
  provider: z.string(),
  asked: countColumn,
  bids: countColumn,
  wins: countColumn,
  timeouts: countColumn,
  errors: countColumn,
  p95Ms: sketched,
});

/**
 * What each partner did on these days. The row for all partners together has no provider. `waited` are the requests whose
 * answer was waited for.
 */
export const partnerScores = defineStat({
  name: "partner-scores",
  sql: `
SELECT provider, ${SUMS},
    sumIf(partner_daily.asked, ${IS_WAITED_FOR}) AS waited,
    quantilesDDMergeIf(0.02, 0.5, 0.95)(partner_daily.latency_ms, ${IS_WAITED_FOR}) AS latencies,
    latencies[1] AS p50Ms,
    latencies[2] AS p95Ms,
    quantilesDDMerge(0.02, 0.05, 0.5, 0.95)(partner_daily.bid_micros) AS bidQuantiles,
    bidQuantiles[1] AS lowBidMicros,
    bidQuantiles[2] AS medianBidMicros,
    bidQuantiles[3] AS highBidMicros
FROM partner_daily
WHERE ${OF_SCOPE}
GROUP BY GROUPING SETS ((provider), ())
ORDER BY provider`,
  params: ScopeParams,
  row: Counted.extend({
    waited: countColumn,
    latencies: z.array(sketched),
    p50Ms: sketched,
    bidQuantiles: z.array(sketched),
    lowBidMicros: sketched,
    medianBidMicros: sketched,
    highBidMicros: sketched,
  }),
});
export type PartnerScoreRow = z.output<(typeof partnerScores)["row"]>;

/** The same by day. */
export const partnerDays = defineStat({
  name: "partner-days",
  sql: `
SELECT provider, toString(day) AS date, ${SUMS},
    quantilesDDMerge(0.02, 0.5, 0.95)(partner_daily.latency_ms)[2] AS p95Ms
FROM partner_daily
WHERE ${OF_SCOPE}
GROUP BY provider, day
ORDER BY provider, day`,
  params: ScopeParams,
  row: Counted.extend({ date: z.string() }),
});
export type PartnerDayRow = z.output<(typeof partnerDays)["row"]>;

/** The same on one day, in the apps of all accounts but `samples`, whose figures are made up. */
export const partnersOnDay = defineStat({
  name: "partners-on-day",
  sql: `
SELECT provider, ${SUMS},
    quantilesDDMerge(0.02, 0.5, 0.95)(partner_daily.latency_ms) AS latencies,
    latencies[1] AS p50Ms,
    latencies[2] AS p95Ms
FROM partner_daily
WHERE day = {day:Date} AND app_id NOT IN {samples:Array(UInt32)}
GROUP BY provider
ORDER BY provider`,
  params: z.object({ day: z.iso.date(), samples: z.array(z.int()) }),
  row: Counted.extend({ latencies: z.array(sketched), p50Ms: sketched }),
});

export type PartnerOnDayRow = z.output<(typeof partnersOnDay)["row"]>;

export const readPartnersOnDay = (clickhouse: ClickHouseClient, params: { day: string; samples: number[] }) =>
  runStat(clickhouse, partnersOnDay, params);

/**
 * The first day of an app's partner facts, and how many requests were sent in the days without any: those before that day,
 * and a part of it. Requests that an earlier version recorded have no facts.
 */
export const partnerUnknown = defineStat({
  name: "partner-unknown",
  sql: `
WITH (SELECT minOrNull(day) FROM partner_daily WHERE ${OF_APPS}) AS first_day
SELECT toString(first_day) AS since, sum(part.requests) AS unknown
FROM
(
    SELECT toInt64(sum(sent_daily.sent)) AS requests
    FROM sent_daily
    WHERE ${OF_SCOPE} AND (first_day IS NULL OR day <= first_day)
    UNION ALL
    SELECT -toInt64(sum(partner_daily.asked)) AS requests
    FROM partner_daily
    WHERE ${OF_SCOPE} AND day <= first_day
) AS part`,
  params: ScopeParams,
  row: z.object({ since: z.iso.date().nullable(), unknown: countColumn }),
});

/** What each partner earned by day. */
export const partnerRevenueDays = defineStat({
  name: "partner-revenue-days",
  sql: `
SELECT provider, toString(day) AS date, sum(stats_daily.revenue_micros) AS revenueMicros
FROM stats_daily
WHERE ${OF_SCOPE} AND provider != ''
GROUP BY provider, day
ORDER BY provider, day`,
  params: ScopeParams,
  row: z.object({ provider: z.string(), date: z.string(), revenueMicros: microsColumn }),
});

/**
 * What each partner earned in the days, the last of them until `untilMs`: its whole hours from the rollup, and the rest of
 * the hour from raw rows.
 */
export const partnerRevenue = defineStat({
  name: "partner-revenue",
  sql: `
SELECT provider, sum(part.revenue) AS revenueMicros
FROM
(
    SELECT provider, sum(stats_daily.revenue_micros) AS revenue
    FROM stats_daily
    WHERE ${OF_APPS} AND day >= {ds:Date} AND day < {de:Date} AND ${OF_FORMATS} AND ${OF_COUNTRIES}
    GROUP BY provider
    UNION ALL
    SELECT provider, sum(stats_hourly.revenue_micros) AS revenue
    FROM stats_hourly
    WHERE ${OF_APPS} AND hour >= toDateTime({de:Date}, 'UTC') AND hour < toDateTime({hour:UInt32}, 'UTC')
        AND ${OF_FORMATS} AND ${OF_COUNTRIES}
    GROUP BY provider
    UNION ALL
    SELECT provider, sum(events.revenue_micros) AS revenue
    FROM events
    WHERE ${OF_APPS} AND at >= toDateTime64({hour:UInt32}, 3, 'UTC') AND at < fromUnixTimestamp64Milli({untilMs:Int64}, 'UTC')
        AND invalid = '' AND ${OF_FORMATS} AND ${OF_COUNTRIES}
    GROUP BY provider
) AS part
WHERE provider != ''
GROUP BY provider
ORDER BY provider`,
  params: ScopeParams.extend({ hour: z.int(), untilMs: z.int() }),
  row: z.object({ provider: z.string(), revenueMicros: microsColumn }),
});
