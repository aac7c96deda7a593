import { z } from "zod";
import { countColumn, defineStat } from "../../../platform/clickhouse/define-stat.ts";

const Ids = z.object({ campaignIds: z.array(z.int()) });

/** What is known of each creative, of the last 30 days. */
export const creativeCounts = defineStat({
  name: "creative-counts",
  sql: `
SELECT creative_id AS creativeId, sum(campaign_hourly.impressions) AS impressions, sum(campaign_hourly.clicks) AS clicks
FROM campaign_hourly
WHERE campaign_id IN {campaignIds:Array(UInt32)} AND hour >= now() - INTERVAL 30 DAY
GROUP BY creativeId
ORDER BY creativeId`,
  params: Ids,
  row: z.object({ creativeId: z.int(), impressions: countColumn, clicks: countColumn }),
});

/**
 * What became of even choices of creatives, each since a full hour of its own: impressions, clicks, and clicks that were
 * followed by a conversion, in the hour of the click.
 */
export const evenCreativeSums = defineStat({
  name: "even-creative-sums",
  sql: `
WITH creative_id IN {creatives:Array(UInt32)} AS is_asked,
    transform(creative_id, {creatives:Array(UInt32)}, {since:Array(UInt32)}, toUInt32(0)) AS its_start
SELECT creativeId, sum(part.impressions) AS impressions, sum(part.clicks) AS clicks, sum(part.converted) AS converted
FROM
(
    SELECT creative_id AS creativeId, impressions, clicks, toUInt64(0) AS converted
    FROM campaign_hourly
    WHERE campaign_id = {campaignId:UInt32} AND arm IN ('even', 'held') AND is_asked AND hour >= fromUnixTimestamp(its_start)
    UNION ALL
    SELECT creative_id AS creativeId, toUInt64(0) AS impressions, toUInt64(0) AS clicks,
        uniqExact(splitByChar(' ', event_id)[1]) AS converted
    FROM conversions FINAL
    WHERE campaign_id = {campaignId:UInt32} AND arm IN ('even', 'held') AND is_goal AND kind = 'click' AND is_asked
        AND ad_at >= fromUnixTimestamp(its_start)
    GROUP BY creativeId
) AS part
GROUP BY creativeId`,
  params: z.object({ campaignId: z.int(), creatives: z.array(z.int()), since: z.array(z.int()) }),
  row: z.object({ creativeId: z.int(), impressions: countColumn, clicks: countColumn, converted: countColumn }),
});
export type CreativeSums = Omit<z.output<(typeof evenCreativeSums)["row"]>, "creativeId">;
