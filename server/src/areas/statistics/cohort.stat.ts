import { dayOf, daysIn, ltvMicros } from "@millrace/units";
import { z } from "zod";
import { countColumn, defineStat, microsColumn } from "../../platform/clickhouse/define-stat.ts";
import type { AskStore } from "./ask-store.ts";
import { COUNTED_SINCE } from "./daily-lists.stat.ts";
import { OF_APPS, type Scope } from "./scope.ts";

const params = z.object({ appIds: z.array(z.int()), ds: z.iso.date(), de: z.iso.date() });

/**
 * The rows of the devices whose first day lies in the range. An app can report first days from before its figures begin: what
 * those devices brought until then is unknown, so they are left out.
 */
const OF_COHORT = `cohort_daily INNER JOIN ${COUNTED_SINCE} AS counted USING (app_id)
WHERE ${OF_APPS} AND first_day BETWEEN {ds:Date} AND {de:Date} AND first_day >= since`;

/** Revenue of these devices by their age in days. */
const cohortRevenue = defineStat({
  name: "cohort-revenue",
  sql: `
SELECT age, sum(cohort_daily.revenue_micros) AS revenueMicros
FROM ${OF_COHORT}
GROUP BY age
ORDER BY age`,
  params,
  row: z.object({ age: z.int(), revenueMicros: microsColumn }),
});

/** The number of these devices. */
const cohortDevices = defineStat({
  name: "cohort-devices",
  sql: `SELECT uniqCombined64Merge(19)(devices) AS devices FROM ${OF_COHORT}`,
  params,
  row: z.object({ devices: countColumn }),
});

/** The age in days up to which the rollup follows a device. */
const OLDEST = 365;

export interface Cohort {
  /** Devices whose first day lies in the range, and not before their app's first day with figures. */
  devices: number;
  /** What one of them had brought up to and including each age, in micro-dollars; only ages that all of them have reached, and the first day as far as it is. */
  curve: { age: number; value: number }[];
}

/** Lifetime value by age of the devices that were new in the scope's days. Filters do not apply. */
export async function cohort({ ask, nowMs }: { ask: AskStore; nowMs: number }, scope: Scope): Promise<Cohort> {
  const params = { appIds: [...scope.appIds], ds: scope.range.ds, de: scope.range.de };
  const [[found], rows] = await Promise.all([ask(cohortDevices, params), ask(cohortRevenue, params)]);
  const devices = found?.devices ?? 0;
  if (devices === 0) return { devices, curve: [] };
  // The youngest of them are as old as the last day of the range; their last day is not over, so it is left out.
  const reached = Math.min(OLDEST, daysIn({ ds: scope.range.de, de: dayOf(nowMs) }) - 2);
  const byAge = new Map(rows.map(({ age, revenueMicros }) => [age, revenueMicros]));
  const curve: Cohort["curve"] = [];
  let sum = 0n;
  for (let age = 0; age <= Math.max(0, reached); age++) {
    sum += byAge.get(age) ?? 0n;
    curve.push({ age, value: ltvMicros(sum, devices) ?? 0 });
  }
  return { devices, curve };
}
