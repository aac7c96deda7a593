import { LATEST_EARNINGS } from "@millrace/contract";
import { z } from "zod";
import { countColumn, defineStat, microsColumn } from "../../platform/clickhouse/define-stat.ts";
import { OF_APPS, OF_COUNTRIES, OF_DAYS, OF_FORMATS, OF_MOMENTS, OF_PROVIDERS, ScopeParams } from "./scope.ts";

const NEWEST = "ORDER BY at DESC, event_id DESC";
const LAST = `${NEWEST} LIMIT 1 BY app_id, event_id LIMIT ${LATEST_EARNINGS}`;
const COLUMNS = "at, event_id, app_id, auction_id, provider, format, country, revenue_micros";
const SINCE = "at >= toDateTime64({since:UInt32}, 3, 'UTC')";
const FILTERS = `${OF_PROVIDERS} AND ${OF_FORMATS} AND ${OF_COUNTRIES}`;

/** The apps' last impressions with revenue, at or after a moment: from the raw rows, and from latest_earnings where those are gone. */
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
FROM
(
    SELECT ${COLUMNS}
    FROM events
    WHERE ${OF_APPS} AND ${OF_MOMENTS} AND ${SINCE} AND kind = 'impression' AND invalid = '' AND revenue_micros > 0 AND ${FILTERS}
    ${NEWEST} LIMIT ${LATEST_EARNINGS}
    UNION ALL
    SELECT ${COLUMNS}
    FROM latest_earnings
    WHERE ${OF_APPS} AND ${OF_DAYS} AND ${SINCE} AND ${FILTERS}
    ${LAST}
)
${LAST}`,
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
