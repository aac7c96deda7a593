import { z } from "zod";
import { defineStat } from "../../platform/clickhouse/define-stat.ts";

/** Older evidence weighs less than a thirtieth. */
const DAYS = 15;

/**
 * How often a partner was asked in the last days and how often it bid, by app, format, country and platform. Each day weighs
 * less than the next one, by the half-life; requests that were sent with a probability stand for those that were not.
 */
export const bidEvidence = defineStat({
  name: "bid-evidence",
  sql: `
SELECT
    app_id AS appId,
    format,
    toString(country) AS country,
    platform,
    sum(part.asked * part.weight) AS asked,
    sum(part.bids * part.weight) AS bids
FROM
(
    SELECT app_id, format, country, platform, asked, bids,
        exp2(-dateDiff('day', day, {de:Date}) / {halfLifeDays:Float64}) AS weight
    FROM bid_evidence_daily
    WHERE provider = {provider:String} AND day > {de:Date} - ${DAYS} AND day <= {de:Date}
) AS part
GROUP BY appId, format, country, platform`,
  params: z.object({ provider: z.string(), de: z.iso.date(), halfLifeDays: z.number().positive() }),
  row: z.object({
    appId: z.int(),
    format: z.string(),
    country: z.string(),
    platform: z.string(),
    asked: z.number(),
    bids: z.number(),
  }),
});
