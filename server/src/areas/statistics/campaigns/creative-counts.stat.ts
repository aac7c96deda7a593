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
 * Creatives that were chosen evenly, hour by hour since a moment: impressions, clicks, and clicks that were followed by a
 * conversion, in the hour of the click.
 */
export const evenCreativeHours = defineStat({
  name: "even-creative-hours",
  sql: `
SELECT creativeId, hourMs, sum(part.impressions) AS impressions, sum(part.clicks) AS clicks, sum(part.converted) AS converted
FROM
(
    SELECT creative_id AS creativeId, toUnixTimestamp(hour) * 1000 AS hourMs, impressions, clicks, toUInt64(0) AS converted
    FROM campaign_hourly
    WHERE campaign_id = {campaignId:UInt32} AND arm IN ('even', 'held') AND hour >= fromUnixTimestamp({since:UInt32})
    UNION ALL
    SELECT creative_id AS creativeId, toUnixTimestamp(toStartOfHour(ad_at, 'UTC')) * 1000 AS hourMs, toUInt64(0) AS impressions,
        toUInt64(0) AS clicks, uniqExact(splitByChar(' ', event_id)[1]) AS converted
    FROM conversions FINAL
    WHERE campaign_id = {campaignId:UInt32} AND arm IN ('even', 'held') AND is_goal AND kind = 'click'
        AND ad_at >= fromUnixTimestamp({since:UInt32})
    GROUP BY creativeId, hourMs
) AS part
GROUP BY creativeId, hourMs
ORDER BY hourMs, creativeId`,
  params: z.object({ campaignId: z.int(), since: z.int() }),
  row: z.object({
    creativeId: z.int(),
    hourMs: countColumn,
    impressions: countColumn,
    clicks: countColumn,
    converted: countColumn,
  }),
});
export type CreativeHour = z.output<(typeof evenCreativeHours)["row"]>;
