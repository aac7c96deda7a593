import type { ClickHouseClient } from "@clickhouse/client";
import { z } from "zod";
import type { AskStore } from "./ask-store.ts";
import { countColumn, defineStat, microsColumn, runStat } from "../../platform/clickhouse/define-stat.ts";

/** What an app's line items showed on UTC days, and the sum of the CPMs that were expected of it. */
const lineItemSums = defineStat({
  name: "line-item-sums",
  sql: `
SELECT
    line_item_id AS lineItemId,
    sum(line_items_hourly.impressions) AS impressions,
    sum(line_items_hourly.expected_micros) AS expectedMicros
FROM line_items_hourly
WHERE app_id = {appId:UInt32} AND hour >= {ds:Date} AND hour < {de:Date} + 1
GROUP BY lineItemId`,
  params: z.object({ appId: z.int(), ds: z.iso.date(), de: z.iso.date() }),
  row: z.object({ lineItemId: z.int(), impressions: countColumn, expectedMicros: microsColumn }),
});

/** Older evidence weighs less than a thousandth. */
const HOURS = 240;

/**
 * What the impressions of all line items paid, as far as their sellers' SDKs told, by format, country and platform: sums of CPMs and of
 * their squares. Each hour weighs less than the next one, by the half-life.
 */
const priceEvidence = defineStat({
  name: "price-evidence",
  sql: `
SELECT
    line_item_id AS lineItemId,
    format,
    toString(country) AS country,
    platform,
    sum(part.paid * part.weight) AS seen,
    sum(part.paid_micros * part.weight) AS total,
    sum(part.paid_squares * part.weight) AS totalSquares,
    sum(part.paid) AS told
FROM
(
    SELECT line_item_id, format, country, platform, paid, paid_micros, paid_squares,
        exp2(-dateDiff('hour', hour, toDateTime({now:UInt32}, 'UTC')) / {halfLifeHours:Float64}) AS weight
    FROM line_items_hourly
    WHERE paid > 0 AND hour > toDateTime({now:UInt32}, 'UTC') - INTERVAL ${HOURS} HOUR
        AND ({appId:UInt32} = 0 OR app_id = {appId:UInt32})
) AS part
GROUP BY lineItemId, format, country, platform`,
  /** Of all apps where `appId` is 0. */
  params: z.object({ appId: z.int(), now: z.int(), halfLifeHours: z.number().positive() }),
  row: z.object({
    lineItemId: z.int(),
    format: z.string(),
    country: z.string(),
    platform: z.string(),
    seen: z.number(),
    total: z.number(),
    totalSquares: z.number(),
    told: countColumn,
  }),
});
export type PriceEvidenceRow = z.output<(typeof priceEvidence)["row"]>;

/** Of each device, so many steps of a line item a day count for what is learned: one device cannot teach for all others. */
export const MOST_STEPS_OF_DEVICE = 10;

/**
 * How often SDKs tried the adapters of line items, and how often these had an ad, by format, country and platform. Each day weighs less
 * than the next one, by the half-life; `tried` and `had` are whole.
 */
const stepEvidence = defineStat({
  name: "step-evidence",
  sql: `
SELECT
    app_id AS appId,
    line_item_id AS lineItemId,
    format,
    toString(country) AS country,
    platform,
    sum(counted * weight) AS asked,
    sum(counted * fills / steps * weight) AS filled,
    sum(counted) AS tried,
    toUInt64(round(sum(counted * fills / steps))) AS had
FROM
(
    SELECT app_id, line_item_id, format, country, platform, device, toDate(at, 'UTC') AS day,
        uniqExact(auction_id) AS steps,
        uniqExactIf(auction_id, outcome = 'filled') AS fills,
        least(steps, {most:UInt32}) AS counted,
        exp2(-dateDiff('day', day, toDate(toDateTime({now:UInt32}, 'UTC'))) / {halfLifeDays:Float64}) AS weight
    FROM line_steps
    WHERE at > toDateTime({now:UInt32}, 'UTC') - INTERVAL ${HOURS} HOUR
        AND ({appId:UInt32} = 0 OR app_id = {appId:UInt32})
    GROUP BY app_id, line_item_id, format, country, platform, device, day
)
GROUP BY appId, lineItemId, format, country, platform`,
  /** Of all apps where `appId` is 0. */
  params: z.object({ appId: z.int(), now: z.int(), halfLifeDays: z.number().positive(), most: z.int().positive() }),
  row: z.object({
    appId: z.int(),
    lineItemId: z.int(),
    format: z.string(),
    country: z.string(),
    platform: z.string(),
    asked: z.number(),
    filled: z.number(),
    tried: countColumn,
    had: countColumn,
  }),
});

/** What line items showed, and what it paid. */
export const lineItemStatistics = (ask: AskStore, read: ClickHouseClient) => ({
  /** Not kept: the rows are asked for once. */
  priceEvidence: (asked: z.input<(typeof priceEvidence)["params"]>) => runStat(read, priceEvidence, asked),
  stepEvidence: (asked: Omit<z.input<(typeof stepEvidence)["params"]>, "most">) =>
    runStat(read, stepEvidence, { ...asked, most: MOST_STEPS_OF_DEVICE }),
  sums: (asked: z.input<(typeof lineItemSums)["params"]>) => ask(lineItemSums, asked),
});
export type LineItemStatistics = ReturnType<typeof lineItemStatistics>;
