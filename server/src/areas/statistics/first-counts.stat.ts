import { z } from "zod";
import { countColumn, defineStat } from "../../platform/clickhouse/define-stat.ts";

const Params = z.object({ appId: z.int(), de: z.iso.date() });

/** The column's first day, `1970-01-01` if there is none. */
const firstDay = (column: string) => `minIf(day, sums_daily.${column} > 0)`;

/** What was ever counted for an app up to a day, and on which day each began. */
export const firstCounts = defineStat({
  name: "first-counts",
  sql: `
SELECT
    sum(sums_daily.sessions) AS sessions,
    sum(sums_daily.requests) AS requests,
    sum(sums_daily.impressions) AS impressions,
    ${firstDay("sessions")} AS sessionsSince,
    ${firstDay("requests")} AS requestsSince,
    ${firstDay("impressions")} AS impressionsSince
FROM sums_daily
WHERE app_id = {appId:UInt32} AND dimension = 'total' AND day <= {de:Date}`,
  params: Params,
  row: z.object({
    sessions: countColumn,
    requests: countColumn,
    impressions: countColumn,
    sessionsSince: z.iso.date(),
    requestsSince: z.iso.date(),
    impressionsSince: z.iso.date(),
  }),
});

/** Impressions and clicks of an app that are not counted, those of floods included. */
export const notCounted = defineStat({
  name: "not-counted",
  sql: `
SELECT sum(not_counted_daily.impressions + not_counted_daily.clicks) AS events
FROM not_counted_daily
WHERE app_id = {appId:UInt32} AND day <= {de:Date}`,
  params: Params,
  row: z.object({ events: countColumn }),
});
