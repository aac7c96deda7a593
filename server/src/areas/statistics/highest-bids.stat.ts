import { UNPAID_PROVIDERS } from "@millrace/contract";
import { z } from "zod";
import { countColumn, defineStat, microsColumn } from "../../platform/clickhouse/define-stat.ts";

const OF_DAY = "at >= toDateTime64({de:Date}, 3, 'UTC') AND at < toDateTime64({de:Date}, 3, 'UTC') + INTERVAL 1 DAY";

const UNPAID = UNPAID_PROVIDERS.map((id) => `'${id}'`).join(", ");
/** Nobody buys what a publisher's own ad or a line item fills. */
const IS_SOLD = `winner NOT IN ('', ${UNPAID})`;
const IS_UNDER_FLOOR = `(no_ad = 'no_bid_above_floor' OR winner IN (${UNPAID}) AND best < floor_micros)`;
/** What the provider of a shown ad bid in its auction, as far as the row has it. */
const BID = `if(answered.winner = shown.provider, answered.price_micros,
            answered.bids_micros[indexOf(answered.asked, shown.provider)])`;

/**
 * A day's requests of an app by country, format and highest bid, and how many of them a floor would change. `bucket` is the
 * edge at or below the highest bid; 0 without a bid. Of the unsold requests, only those whose bids failed the floor of their
 * moment would sell under another one. The price of a sold request is its highest valid bid (first price).
 * Impressions are counted on the day of the impression, as in all statistics. Any ad of an answer may be the one that is shown, so its
 * price is its own: what it bid in its auction, or, where another of its bids was shown, what it was sold for, which is rounded.
 */
export const highestBids = defineStat({
  name: "highest-bids",
  sql: `
SELECT
    toString(country) AS country,
    format,
    bucket,
    sum(part.requests) AS requests,
    sum(part.sold) AS sold,
    sum(part.sold_micros) AS soldMicros,
    sum(part.impressions) AS impressions,
    sum(part.revenue) AS revenueMicros,
    sum(part.impressions_below) AS impressionsBelow,
    sum(part.revenue_below) AS revenueBelowMicros,
    sum(part.unsold_above) AS unsoldAbove,
    sum(part.unsold_above_micros) AS unsoldAboveMicros
FROM
(
    SELECT
        country,
        format,
        if(${IS_SOLD}, price_micros, arrayMax(bids_micros)) AS best,
        if(best > 0, roundDown(best, {edges:Array(Int64)}), 0) AS bucket,
        count() AS requests,
        countIf(${IS_SOLD}) AS sold,
        sumIf(price_micros, ${IS_SOLD}) AS sold_micros,
        0 AS impressions,
        toInt64(0) AS revenue,
        0 AS impressions_below,
        toInt64(0) AS revenue_below,
        countIf(${IS_UNDER_FLOOR} AND best > 0 AND best >= {floor:Int64}) AS unsold_above,
        sumIf(best, ${IS_UNDER_FLOOR} AND best > 0 AND best >= {floor:Int64}) AS unsold_above_micros
    FROM auctions
    WHERE app_id = {appId:UInt32} AND ${OF_DAY}
    GROUP BY country, format, best
    UNION ALL
    SELECT
        country,
        format,
        if(intDiv(${BID} + 500, 1000) = shown.gross_micros, ${BID}, shown.gross_micros * 1000) AS best,
        if(best > 0, roundDown(best, {edges:Array(Int64)}), 0) AS bucket,
        0 AS requests,
        0 AS sold,
        toInt64(0) AS sold_micros,
        count() AS impressions,
        sum(shown.revenue_micros) AS revenue,
        countIf(best > 0 AND best < {floor:Int64}) AS impressions_below,
        sumIf(shown.revenue_micros, best > 0 AND best < {floor:Int64}) AS revenue_below,
        0 AS unsold_above,
        toInt64(0) AS unsold_above_micros
    FROM
    (
        SELECT auction_id, country, format, zone, provider, revenue_micros, gross_micros
        FROM events
        WHERE app_id = {appId:UInt32} AND ${OF_DAY} AND kind = 'impression' AND invalid = ''
            AND provider NOT IN (${UNPAID})
    ) AS shown
    LEFT ANY JOIN
    (
        SELECT auction_id, format, zone, asked, bids_micros, winner, price_micros
        FROM auctions
        WHERE app_id = {appId:UInt32}
            AND at >= toDateTime64({de:Date}, 3, 'UTC') - INTERVAL 1 DAY
            AND at < toDateTime64({de:Date}, 3, 'UTC') + INTERVAL 1 DAY
    ) AS answered
    ON shown.auction_id = answered.auction_id AND shown.format = answered.format AND shown.zone = answered.zone
    GROUP BY country, format, best
) AS part
GROUP BY country, format, bucket
ORDER BY country, format, bucket`,
  params: z.object({ appId: z.int(), de: z.iso.date(), edges: z.array(z.int()), floor: z.int() }),
  row: z.object({
    country: z.string(),
    format: z.string(),
    bucket: countColumn,
    requests: countColumn,
    sold: countColumn,
    soldMicros: microsColumn,
    impressions: countColumn,
    revenueMicros: microsColumn,
    impressionsBelow: countColumn,
    revenueBelowMicros: microsColumn,
    unsoldAbove: countColumn,
    unsoldAboveMicros: microsColumn,
  }),
});
export type HighestBidsRow = z.output<(typeof highestBids)["row"]>;
