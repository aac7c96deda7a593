import { dayOf, daysIn, ltvMicros } from "@millrace/units";
import type { AskStore } from "./ask-store.ts";
import { cohortDevices, cohortRevenue } from "./cohort.stat.ts";
import type { Scope } from "./scope.ts";

/** The curve is worth nothing beyond the age up to which the rollup follows a device. */
const OLDEST = 365;

export interface Cohort {
  /** Devices whose first day lies in the range. */
  devices: number;
  /** What one of them had brought up to and including each age, in micro-dollars; only ages that all of them have reached. */
  curve: { age: number; value: number }[];
}

/** Lifetime value by age of the devices that were new in the scope's days. Filters change nothing of it. */
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
