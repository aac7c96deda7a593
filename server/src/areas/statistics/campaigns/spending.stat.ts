import { z } from "zod";
import { countColumn, defineStat, microsColumn } from "../../../platform/clickhouse/define-stat.ts";
import { OF_HOURS, OF_MOMENTS } from "../scope.ts";
import { FIT_REASON, FitParams, OF_MARKET, WINNING_PRICE } from "./campaign-fit.ts";

const Days = { ds: z.iso.date(), de: z.iso.date() };

/**
 * Auctions of a campaign's market by what kept it from winning, as far as their rows tell: first that its ad was returned, then its
 * targeting, its moderation, the floor and the winner's price. Those without a reason fit and could have been won. `middle` is
 * the median price that would have been needed.
 */
export const spendingByReason = defineStat({
  name: "spending-by-reason",
  sql: `
SELECT
    multiIf(
        has(campaign_ids, {campaignId:UInt32}), 'won',
        fit != '', fit,
        toUnixTimestamp64Milli(at) < {approvedAt:Int64}, 'moderation',
        floor_micros > {bidMicros:Int64}, 'floor',
        winning > {bidMicros:Int64}, if(has({ownCampaigns:Array(UInt32)}, campaign_id), 'own_campaign', 'outbid'),
        'open') AS reason,
    count() AS auctions,
    toInt64(quantileExact(if(reason = 'floor', floor_micros, winning))) AS middle
FROM
(
    SELECT at, campaign_id, campaign_ids, floor_micros, ${WINNING_PRICE} AS winning, ${FIT_REASON} AS fit
    FROM auctions
    WHERE ${OF_MOMENTS} AND ${OF_MARKET}
)
GROUP BY reason
ORDER BY reason`,
  params: FitParams.extend({
    ...Days,
    campaignId: z.int(),
    bidMicros: z.int(),
    /** The account's campaigns. */
    ownCampaigns: z.array(z.int()),
    /** When its first creative was approved, in epoch milliseconds. */
    approvedAt: z.int(),
  }),
  row: z.object({ reason: z.string(), auctions: countColumn, middle: microsColumn }),
});

/** Auctions that a campaign fitted and did not enter, by the gate that stopped it. */
export const missesByReason = defineStat({
  name: "misses-by-reason",
  sql: `
SELECT reason, sum(campaign_misses_hourly.auctions) AS auctions
FROM campaign_misses_hourly
WHERE campaign_id = {campaignId:UInt32} AND ${OF_HOURS}
GROUP BY reason
ORDER BY reason`,
  params: z.object({ ...Days, campaignId: z.int() }),
  row: z.object({ reason: z.string(), auctions: countColumn }),
});
