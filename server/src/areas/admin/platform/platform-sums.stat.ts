import { z } from "zod";
import { countColumn, defineStat, microsColumn } from "../../../platform/clickhouse/define-stat.ts";

const TODAY = "toDateTime({today:UInt32}, 'UTC')";
const UNTIL = "toDateTime64({until:UInt32}, 3, 'UTC')";
/** The hour of yesterday that the comparison ends in: the rollup has it whole, so its beginning comes from the raw rows. */
const CUT_HOUR = `toStartOfHour(${UNTIL})`;
const IN_CUT_HOUR = `at >= ${CUT_HOUR} AND at < ${UNTIL}`;
/** Figures of sample apps are made up, and nobody's money. */
const IS_REAL = "app_id NOT IN {samples:Array(UInt32)}";
/** The ids of the sample apps. */
const samples = z.array(z.int());

/**
 * Counts and money of all accounts today, and yesterday up to the same time of day, by provider. Requests have no
 * provider. Cleared prices are in no hourly rollup: today's come from the daily one, yesterday's from the raw rows. Of floods, most
 * events are counted apart.
 */
export const platformSums = defineStat({
  name: "platform-sums",
  sql: `
SELECT
    span,
    provider,
    sum(part.requests) AS requests,
    sum(part.impressions) AS impressions,
    sum(part.invalid) AS invalid,
    sum(part.revenue_micros) AS revenueMicros,
    sum(part.gross_micros) AS grossMicros
FROM
(
    SELECT
        if(hour >= ${TODAY}, 'today', 'yesterday') AS span,
        toString(provider) AS provider,
        requests,
        impressions,
        invalid,
        revenue_micros,
        toInt64(0) AS gross_micros
    FROM stats_hourly
    WHERE ${IS_REAL} AND (hour >= ${TODAY} OR (hour >= ${TODAY} - INTERVAL 1 DAY AND hour < ${CUT_HOUR}))
    UNION ALL
    SELECT 'today', toString(provider), toUInt64(0), toUInt64(0), toUInt64(0), toInt64(0), earnings_daily.gross_micros
    FROM earnings_daily
    WHERE ${IS_REAL} AND day = toDate(${TODAY}, 'UTC')
    UNION ALL
    SELECT 'yesterday', toString(provider), toUInt64(0), toUInt64(0), toUInt64(0), toInt64(0), sum(events.gross_micros)
    FROM events
    WHERE ${IS_REAL} AND kind = 'impression' AND invalid = '' AND at >= ${TODAY} - INTERVAL 1 DAY AND at < ${UNTIL}
    GROUP BY provider
    UNION ALL
    SELECT 'yesterday', '', count(), toUInt64(0), toUInt64(0), toInt64(0), toInt64(0)
    FROM auctions
    WHERE ${IS_REAL} AND ${IN_CUT_HOUR}
    UNION ALL
    SELECT
        'yesterday',
        toString(events.provider),
        toUInt64(0),
        countIf(events.kind = 'impression' AND events.invalid = ''),
        countIf(events.invalid != ''),
        sumIf(events.revenue_micros, events.invalid = ''),
        toInt64(0)
    FROM events
    WHERE ${IS_REAL} AND ${IN_CUT_HOUR}
    GROUP BY events.provider
    UNION ALL
    SELECT
        if(at >= ${TODAY}, 'today', 'yesterday') AS span,
        toString(dropped_events.provider),
        toUInt64(0),
        toUInt64(0),
        sum(dropped_events.events),
        toInt64(0),
        toInt64(0)
    FROM dropped_events
    WHERE ${IS_REAL} AND (at >= ${TODAY} OR (at >= ${TODAY} - INTERVAL 1 DAY AND at < ${UNTIL}))
    GROUP BY span, dropped_events.provider
) AS part
GROUP BY span, provider
ORDER BY span, provider`,
  params: z.object({
    /** Unix seconds: the start of the UTC day, and now a day ago. */
    today: z.int(),
    until: z.int(),
    samples,
  }),
  row: z.object({
    span: z.enum(["today", "yesterday"]),
    provider: z.string(),
    requests: countColumn,
    impressions: countColumn,
    invalid: countColumn,
    revenueMicros: microsColumn,
    grossMicros: microsColumn,
  }),
});

/** Requests sent to each partner on a day. */
export const platformSent = defineStat({
  name: "platform-sent",
  sql: `
SELECT toString(sums_daily.key) AS provider, sum(sums_daily.requests) AS sent
FROM sums_daily
WHERE ${IS_REAL} AND dimension = 'provider' AND day = {day:Date}
GROUP BY provider
ORDER BY provider`,
  params: z.object({ day: z.iso.date(), samples }),
  row: z.object({ provider: z.string(), sent: countColumn }),
});

const latencies = z.array(
  z
    .number()
    .nullable()
    .transform((value) => (value === null || Number.isNaN(value) ? null : value)),
);

/**
 * How each partner's calls ended today, and yesterday up to the same time of day. Yesterday comes from the raw rows: parts of
 * a day cannot be taken out of its quantiles.
 */
export const platformCalls = defineStat({
  name: "platform-calls",
  sql: `
SELECT
    'today' AS span,
    toString(provider) AS provider,
    sum(partner_daily.asked) AS asked,
    sum(partner_daily.bids) AS bids,
    sum(partner_daily.timeouts) AS timeouts,
    sum(partner_daily.errors) AS errors,
    quantilesDDMerge(0.02, 0.5, 0.95)(partner_daily.latency_ms) AS latencies
FROM partner_daily
WHERE ${IS_REAL} AND day = {day:Date}
GROUP BY provider
UNION ALL
SELECT
    'yesterday',
    toString(provider),
    count(),
    countIf(outcome = 'bid'),
    countIf(outcome = 'timeout'),
    countIf(outcome NOT IN ('bid', 'no_bid', 'timeout')),
    quantilesDDIf(0.02, 0.5, 0.95)(latency, latency > 0)
FROM auctions
ARRAY JOIN
    auctions.asked AS provider,
    arrayResize(auctions.outcomes, length(auctions.asked)) AS outcome,
    arrayResize(auctions.latencies_ms, length(auctions.asked)) AS latency
WHERE ${IS_REAL} AND at >= toDateTime64({day:Date}, 3, 'UTC') - INTERVAL 1 DAY AND at < ${UNTIL} AND outcome != ''
GROUP BY provider`,
  params: z.object({ day: z.iso.date(), until: z.int(), samples }),
  row: z.object({
    span: z.enum(["today", "yesterday"]),
    provider: z.string(),
    asked: countColumn,
    bids: countColumn,
    timeouts: countColumn,
    errors: countColumn,
    latencies,
  }),
});

/** How long auctions took since a moment, in Unix seconds. */
export const auctionTimes = defineStat({
  name: "auction-times",
  sql: `
SELECT count() AS auctions, quantile(0.5)(duration_ms) AS p50Ms, quantile(0.95)(duration_ms) AS p95Ms
FROM auctions
WHERE ${IS_REAL} AND at >= toDateTime64({since:UInt32}, 3, 'UTC')`,
  params: z.object({ since: z.int(), samples }),
  row: z.object({ auctions: countColumn, p50Ms: z.number().nullable(), p95Ms: z.number().nullable() }),
});
