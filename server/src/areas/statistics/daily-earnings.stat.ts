import { z } from "zod";
import { countColumn, defineStat, microsColumn } from "../../platform/clickhouse/define-stat.ts";

const Range = z.object({ ds: z.iso.date(), de: z.iso.date() });
export const DailyEarningsRow = z.object({
  day: z.iso.date(),
  appId: z.int(),
  provider: z.string(),
  /** 0 for a partner's ads. */
  campaignId: z.int(),
  impressions: countColumn,
  /** What the demand source pays, and the publisher's part of it. */
  grossMicros: microsColumn,
  revenueMicros: microsColumn,
});
export type DailyEarnings = z.output<typeof DailyEarningsRow>;

const SUMS = `
    count() AS impressions,
    sum(events.gross_micros) AS grossMicros,
    sum(events.revenue_micros) AS revenueMicros`;

/** What impressions were sold for, of all apps; impressions that nobody pays for are left out. */
export const dailyEarnings = defineStat({
  name: "daily-earnings",
  sql: `
SELECT
    toString(earnings_daily.day) AS day,
    app_id AS appId,
    provider,
    campaign_id AS campaignId,
    sum(earnings_daily.impressions) AS impressions,
    sum(earnings_daily.gross_micros) AS grossMicros,
    sum(earnings_daily.revenue_micros) AS revenueMicros
FROM earnings_daily
WHERE earnings_daily.day BETWEEN {ds:Date} AND {de:Date}
GROUP BY earnings_daily.day, appId, provider, campaignId
HAVING grossMicros != 0 OR revenueMicros != 0
ORDER BY day, appId, provider, campaignId`,
  params: Range,
  row: DailyEarningsRow,
});

/** The same, counted from single events. */
export const countedEarnings = defineStat({
  name: "counted-earnings",
  sql: `
SELECT toString(toDate(at, 'UTC')) AS day, app_id AS appId, provider, campaign_id AS campaignId, ${SUMS}
FROM events
WHERE kind = 'impression' AND invalid = ''
    AND at >= toDateTime64({ds:Date}, 3, 'UTC') AND at < toDateTime64({de:Date} + 1, 3, 'UTC')
GROUP BY day, appId, provider, campaignId
HAVING grossMicros != 0 OR revenueMicros != 0
ORDER BY day, appId, provider, campaignId`,
  params: Range,
  row: DailyEarningsRow,
});

/** The first day of which anything is recorded; `1970-01-01` before. */
export const firstEarningDay = defineStat({
  name: "first-earning-day",
  sql: "SELECT toString(min(earnings_daily.day)) AS day FROM earnings_daily",
  params: z.object({}),
  row: z.object({ day: z.iso.date() }),
});
