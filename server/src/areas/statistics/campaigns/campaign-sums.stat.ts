import { z } from "zod";
import { countColumn, defineStat, microsColumn } from "../../../platform/clickhouse/define-stat.ts";
import { AFTER_FULL_HOURS, OF_COUNTRIES, OF_FULL_HOURS, OF_HOURS } from "../scope.ts";
import { CampaignParams, OF_CAMPAIGNS, PartDayCampaignParams } from "./campaign-scope.ts";

/** What the sums can be grouped by, as a row's key in text. */
const KEYS = {
  total: "''",
  date: "toString(toDate(hour))",
  hour: "formatDateTime(hour, '%Y-%m-%dT%H:00:00Z', 'UTC')",
  campaign: "toString(campaign_id)",
  creative: "toString(creative_id)",
  country: "toString(country)",
  format: "transform(campaign_id, {campaignIds:Array(UInt32)}, {campaignFormats:Array(String)}, '')",
} as const;
export type CampaignGroup = keyof typeof KEYS;

const Row = z.object({
  id: z.string(),
  requests: countColumn,
  impressions: countColumn,
  clicks: countColumn,
  costMicros: microsColumn,
  conversions: countColumn,
  viewConversions: countColumn,
});
export type CampaignSumsRow = z.output<typeof Row>;

const DIMENSIONS = "campaign_id, creative_id, country";

const NO_CONVERSIONS = "toUInt64(0) AS conversions, toUInt64(0) AS view_conversions";
const ONLY_CONVERSIONS = `toUInt64(0) AS requests, toUInt64(0) AS impressions, toUInt64(0) AS clicks,
        toInt64(0) AS cost_micros, toUInt64(kind = 'click') AS conversions, toUInt64(kind = 'view') AS view_conversions`;

const ofHours = (hours: string) => `
    SELECT hour, ${DIMENSIONS}, requests, impressions, clicks, cost_micros, ${NO_CONVERSIONS}
    FROM campaign_hourly
    WHERE ${OF_CAMPAIGNS} AND ${hours} AND ${OF_COUNTRIES}
    UNION ALL
    SELECT toStartOfHour(at, 'UTC') AS hour, ${DIMENSIONS}, ${ONLY_CONVERSIONS}
    FROM conversions FINAL
    WHERE ${OF_CAMPAIGNS} AND ${hours} AND is_goal AND ${OF_COUNTRIES}`;

/** The requests and events of the last hour one by one. */
const OF_LAST_HOUR = `
    SELECT toStartOfHour(at, 'UTC') AS hour, ${DIMENSIONS}, toUInt64(1) AS requests, toUInt64(0) AS impressions,
        toUInt64(0) AS clicks, toInt64(0) AS cost_micros, ${NO_CONVERSIONS}
    FROM
    (
        SELECT at, country, returned_campaign AS campaign_id, returned_creative AS creative_id
        FROM auctions
        ARRAY JOIN auctions.campaign_ids AS returned_campaign, auctions.creative_ids AS returned_creative
        WHERE ${AFTER_FULL_HOURS}
    )
    WHERE ${OF_CAMPAIGNS} AND ${OF_COUNTRIES}
    UNION ALL
    SELECT toStartOfHour(at, 'UTC') AS hour, ${DIMENSIONS}, toUInt64(0) AS requests,
        toUInt64(kind = 'impression') AS impressions, toUInt64(kind = 'click') AS clicks, cost_micros,
        ${NO_CONVERSIONS}
    FROM events
    WHERE ${OF_CAMPAIGNS} AND ${AFTER_FULL_HOURS} AND invalid = '' AND ${OF_COUNTRIES}
    UNION ALL
    SELECT toStartOfHour(at, 'UTC') AS hour, ${DIMENSIONS}, ${ONLY_CONVERSIONS}
    FROM conversions FINAL
    WHERE ${OF_CAMPAIGNS} AND ${AFTER_FULL_HOURS} AND is_goal AND ${OF_COUNTRIES}`;

const sumsBy = (group: CampaignGroup, rows: string) => `
SELECT
    ${KEYS[group]} AS id,
    sum(part.requests) AS requests,
    sum(part.impressions) AS impressions,
    sum(part.clicks) AS clicks,
    sum(part.cost_micros) AS costMicros,
    sum(part.conversions) AS conversions,
    sum(part.view_conversions) AS viewConversions
FROM
(${rows}
) AS part
GROUP BY id
ORDER BY id`;

const statsOf = <T>(make: (group: CampaignGroup) => T) =>
  Object.fromEntries(Object.keys(KEYS).map((group) => [group, make(group as CampaignGroup)])) as Record<
    CampaignGroup,
    T
  >;

/** Sums of whole days by a group. */
export const campaignSums = statsOf((group) =>
  defineStat({
    name: `campaign-sums-by-${group}`,
    sql: sumsBy(group, ofHours(OF_HOURS)),
    params: CampaignParams,
    row: Row,
  }),
);

/** The same with a last day that ends at a minute: `ds` and `de` are the whole days before it, and may be none. */
export const campaignSumsUntil = statsOf((group) =>
  defineStat({
    name: `campaign-sums-until-by-${group}`,
    sql: sumsBy(group, `${ofHours(`(${OF_HOURS} OR ${OF_FULL_HOURS})`)}\n    UNION ALL${OF_LAST_HOUR}`),
    params: PartDayCampaignParams,
    row: Row,
  }),
);

/** The first day with any figure of these campaigns. */
export const firstCampaignDay = defineStat({
  name: "first-campaign-day",
  sql: `SELECT toString(toDate(min(hour))) AS day, count() AS hours FROM campaign_hourly WHERE ${OF_CAMPAIGNS}`,
  params: z.object({ campaignIds: z.array(z.int()) }),
  row: z.object({ day: z.string(), hours: countColumn }),
});

/** Countries in which these campaigns have any figure. */
export const campaignCountries = defineStat({
  name: "campaign-countries",
  sql: `SELECT DISTINCT toString(country) AS code FROM campaign_hourly WHERE ${OF_CAMPAIGNS} ORDER BY code`,
  params: z.object({ campaignIds: z.array(z.int()) }),
  row: z.object({ code: z.string() }),
});
