import { LATEST_EARNINGS } from "@millrace/contract";
import { z } from "zod";
import { countColumn, defineStat, microsColumn } from "../../platform/clickhouse/define-stat.ts";
import { OF_APPS, OF_COUNTRIES, OF_FORMATS, OF_MOMENTS, OF_PROVIDERS, ScopeParams } from "./scope.ts";

/** The last impressions of the apps, at or after a moment, that earned something. */
export const latestEarnings = defineStat({
  name: "latest-earnings",
  sql: `
SELECT
    toUnixTimestamp64Milli(at) AS atMs,
    app_id AS appId,
    toString(auction_id) AS auctionId,
    provider,
    format,
    toString(country) AS country,
    revenue_micros AS revenueMicros
FROM events
WHERE ${OF_APPS} AND ${OF_MOMENTS} AND at >= toDateTime64({since:UInt32}, 3, 'UTC')
    AND kind = 'impression' AND invalid = '' AND revenue_micros > 0
    AND ${OF_PROVIDERS} AND ${OF_FORMATS} AND ${OF_COUNTRIES}
ORDER BY at DESC, event_id DESC
LIMIT ${LATEST_EARNINGS}`,
  params: ScopeParams.extend({
    /** Unix seconds. */
    since: z.int(),
  }),
  row: z.object({
    atMs: countColumn,
    appId: z.int(),
    auctionId: z.string(),
    provider: z.string(),
    format: z.string(),
    country: z.string(),
    revenueMicros: microsColumn,
  }),
});
