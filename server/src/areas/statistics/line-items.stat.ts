import type { ClickHouseClient } from "@clickhouse/client";
import { z } from "zod";
import type { AskStore } from "./ask-store.ts";
import { countColumn, defineStat, microsColumn, runStat } from "../../platform/clickhouse/define-stat.ts";

/** What an app's line items showed in each country on UTC days, and the sum of the CPMs that were expected of it. */
const lineItemSums = defineStat({
  name: "line-item-sums",
  sql: `
SELECT
    line_item_id AS lineItemId,
    toString(country) AS country,
    sum(line_items_hourly.impressions) AS impressions,
    sum(line_items_hourly.expected_micros) AS expectedMicros
FROM line_items_hourly
WHERE app_id = {appId:UInt32} AND hour >= {ds:Date} AND hour < {de:Date} + 1
GROUP BY lineItemId, country`,
  params: z.object({ appId: z.int(), ds: z.iso.date(), de: z.iso.date() }),
  row: z.object({
    lineItemId: z.int(),
    country: z.string(),
    impressions: countColumn,
    expectedMicros: microsColumn,
  }),
});

export type LineItemSumRow = z.output<(typeof lineItemSums)["row"]>;

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
 * How often an app's SDKs tried the adapters of line items, and how often these had an ad, by format, country and platform. Each day weighs less
 * than the next one, by the half-life; `tried` and `had` are whole. Steps from before a line item's `since` do not count.
 */
const stepEvidence = defineStat({
  name: "step-evidence",
  sql: `
SELECT
    line_item_id AS lineItemId,
    format,
    country,
    platform,
    sum(share * weight) AS asked,
    sum(share * has_ad * weight) AS filled,
    toUInt64(round(sum(share))) AS tried,
    toUInt64(round(sum(share * has_ad))) AS had
FROM
(
    SELECT line_item_id, format, country, platform, has_ad,
        least(1, {most:UInt32} / count() OVER (PARTITION BY line_item_id, device, day)) AS share,
        exp2(-dateDiff('day', day, toDate(toDateTime({now:UInt32}, 'UTC'))) / {halfLifeDays:Float64}) AS weight
    FROM
    (
        SELECT line_item_id, device, any(line_steps.format) AS format, toString(any(line_steps.country)) AS country,
            any(line_steps.platform) AS platform, toDate(min(at), 'UTC') AS day, max(outcome = 'filled') AS has_ad
        FROM line_steps
        WHERE at > toDateTime({now:UInt32}, 'UTC') - INTERVAL ${HOURS} HOUR
            AND app_id = {appId:UInt32}
            AND toUInt32(at) >= {since:Array(UInt32)}[indexOf({changedItems:Array(UInt32)}, line_item_id)]
        GROUP BY line_item_id, device, auction_id
    )
)
GROUP BY lineItemId, format, country, platform`,
  /** Times are epoch seconds; `since` has one for each of `changedItems`. */
  params: z.object({
    appId: z.int(),
    now: z.int(),
    halfLifeDays: z.number().positive(),
    most: z.int().positive(),
    changedItems: z.array(z.int()),
    since: z.array(z.int()),
  }),
  row: z.object({
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
  priceEvidence: (params: z.input<(typeof priceEvidence)["params"]>) => runStat(read, priceEvidence, params),
  stepEvidence: (params: Omit<z.input<(typeof stepEvidence)["params"]>, "most">) =>
    runStat(read, stepEvidence, { ...params, most: MOST_STEPS_OF_DEVICE }),
  sums: (params: z.input<(typeof lineItemSums)["params"]>) => ask(lineItemSums, params),
});
export type LineItemStatistics = ReturnType<typeof lineItemStatistics>;
