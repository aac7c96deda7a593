import { z } from "zod";
import { countColumn, defineStat, microsColumn } from "../../platform/clickhouse/define-stat.ts";

const PartnerHourRow = z.object({
  /** The hour's start: `2026-11-19T05:00:00Z`. */
  id: z.string(),
  appId: z.int(),
  impressions: countColumn,
  /** The publisher's part. */
  revenueMicros: microsColumn,
});
export type PartnerHour = z.output<typeof PartnerHourRow>;

/** What was shown of a partner's ads in each hour, of all apps. `de` is not included. */
export const partnerHours = defineStat({
  name: "partner-hours",
  sql: `
SELECT
    formatDateTime(hour, '%Y-%m-%dT%H:00:00Z', 'UTC') AS id,
    app_id AS appId,
    sum(stats_hourly.impressions) AS impressions,
    sum(stats_hourly.revenue_micros) AS revenueMicros
FROM stats_hourly
WHERE provider = {provider:String} AND hour >= toDateTime({ds:Date}, 'UTC') AND hour < toDateTime({de:Date}, 'UTC')
GROUP BY hour, appId
HAVING impressions != 0
ORDER BY hour, appId`,
  params: z.object({ provider: z.string(), ds: z.iso.date(), de: z.iso.date() }),
  row: PartnerHourRow,
});
