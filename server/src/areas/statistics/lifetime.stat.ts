import { z } from "zod";
import { defineStat, microsColumn } from "../../platform/clickhouse/define-stat.ts";
import { OF_APPS } from "./scope.ts";

const AppIds = z.object({ appIds: z.array(z.int()) });

/** Revenue ever earned by each app and (app 0) by all together. */
export const revenueEver = defineStat({
  name: "revenue-ever",
  sql: `
SELECT app_id AS appId, sum(app_lifetime.revenue_micros) AS revenueMicros
FROM app_lifetime
WHERE ${OF_APPS}
GROUP BY appId WITH ROLLUP
ORDER BY appId`,
  params: AppIds,
  row: z.object({ appId: z.int(), revenueMicros: microsColumn }),
});

/** What these apps have earned on one day. */
export const earned = defineStat({
  name: "earned",
  sql: `
SELECT sum(sums_daily.revenue_micros) AS dayMicros
FROM sums_daily
WHERE ${OF_APPS} AND dimension = 'total' AND day = {day:Date}`,
  params: AppIds.extend({ day: z.iso.date() }),
  row: z.object({ dayMicros: microsColumn }),
});
