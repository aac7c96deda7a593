import { z } from "zod";
import { countColumn, defineStat, microsColumn } from "../../platform/clickhouse/define-stat.ts";
import { OF_APPS } from "./scope.ts";

const params = z.object({ appIds: z.array(z.int()), ds: z.iso.date(), de: z.iso.date() });
const OF_COHORT = `${OF_APPS} AND first_day BETWEEN {ds:Date} AND {de:Date}`;

/** Revenue of the devices whose first day lies in the range, by their age in days. */
export const cohortRevenue = defineStat({
  name: "cohort-revenue",
  sql: `
SELECT age, sum(cohort_daily.revenue_micros) AS revenueMicros
FROM cohort_daily
WHERE ${OF_COHORT}
GROUP BY age
ORDER BY age`,
  params,
  row: z.object({ age: z.int(), revenueMicros: microsColumn }),
});

/** How many devices these are. */
export const cohortDevices = defineStat({
  name: "cohort-devices",
  sql: `SELECT uniqCombined64Merge(19)(devices) AS devices FROM cohort_daily WHERE ${OF_COHORT}`,
  params,
  row: z.object({ devices: countColumn }),
});
