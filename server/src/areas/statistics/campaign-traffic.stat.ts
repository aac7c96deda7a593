import { FORMATS } from "@millrace/contract";
import { z } from "zod";
import { countColumn, defineStat } from "../../platform/clickhouse/define-stat.ts";

/** Prices are counted by steps of an eighth of an octave: step `n` begins at 2^(n/8) × this CPM in micro-dollars. */
export const LEAST_PRICE_MICROS = 62_500;
export const PRICE_STEPS = 112;

/** Campaigns take part under this provider or as `campaign-<id>`; their own bids are no rival's. */
const OF_RIVALS = "(bid, name) -> name != 'campaigns' AND NOT match(name, '^campaign-[0-9]+$')";

/**
 * The requests that campaigns can buy, of the seven days before a day and of that day itself so far, by what campaigns choose:
 * how many in each hour of the day, and by the price that an ad had to beat, which is the rivals' highest bid, what a winner
 * was ranked at that nobody pays for, or the floor.
 */
export const campaignTraffic = defineStat({
  name: "campaign-traffic",
  sql: `
SELECT
    format,
    media,
    toString(country) AS country,
    campaign_platform AS platform,
    demo,
    toUInt64(uniqExactIf(toDate(at), at < today)) AS days,
    countResampleIf(0, 24, 1)(toHour(at), at < today) AS before,
    countResampleIf(0, 24, 1)(toHour(at), at >= today) AS sofar,
    countResample(0, ${PRICE_STEPS}, 1)(step) AS prices
FROM
(
    SELECT
        at,
        format,
        arraySort(arrayMap(one -> toString(one), media)) AS media,
        country,
        campaign_platform,
        demo,
        toDateTime64({de:Date}, 3, 'UTC') AS today,
        greatest(
            floor_micros,
            if(campaign_id = 0, price_micros, expected_micros),
            arrayMax(arrayFilter(${OF_RIVALS}, arrayPushBack(bids_micros, 0), arrayPushBack(asked, '')))
        ) AS price,
        toUInt8(least(${PRICE_STEPS - 1}, greatest(0, floor(8 * log2(greatest(price, 1) / ${LEAST_PRICE_MICROS}))))) AS step
    FROM auctions
    WHERE at >= today - INTERVAL 7 DAY AND at < today + INTERVAL 1 DAY
        AND campaign_platform != '' AND format != 'audio'
)
GROUP BY format, media, country, campaign_platform, demo
ORDER BY format, media, country, platform, demo`,
  params: z.object({ de: z.iso.date() }),
  row: z.object({
    format: z.enum(FORMATS),
    media: z.array(z.string()),
    country: z.string(),
    platform: z.enum(["iphone", "ipad", "android"]),
    demo: z.int(),
    /** Of the seven days, those with any request. */
    days: countColumn,
    /** By hour of the day, of all these days together. */
    before: z.array(countColumn).length(24),
    sofar: z.array(countColumn).length(24),
    /** By price step, of all days. */
    prices: z.array(countColumn).length(PRICE_STEPS),
  }),
});
export type CampaignTrafficRow = z.output<(typeof campaignTraffic)["row"]>;
