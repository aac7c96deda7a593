import type { ClickHouseClient } from "@clickhouse/client";
import { previousRange } from "@millrace/units";
import { askStore } from "./ask-store.ts";
import { hourlySums } from "./hourly-sums.stat.ts";
import { lifetimeByApp, lifetimeTotal } from "./lifetime.stat.ts";
import { type Lifetime, NO_LIFETIME } from "./metrics.ts";
import { type Scope, bindScope } from "./scope.ts";
import { SUMS, type Sums, type SumsGroup } from "./sums.stat.ts";
import { hourlyUniques, uniquesStat } from "./uniques.stat.ts";

/** Values by a group's key. */
type ById<T> = ReadonlyMap<string, T>;

/** The queries of one scope. Parts that need the same numbers share one query, and so cannot differ. */
export interface Numbers {
  scope: Scope;
  /** Of the days alone. */
  sums(group: SumsGroup): Promise<ById<Sums>>;
  uniques(group: SumsGroup): Promise<ById<number>>;
  /** Of the days and as many before them: periods are `current` and `previous`. */
  sumsWithPrevious(group: "period" | "date" | "hour"): Promise<ById<Sums>>;
  uniquesWithPrevious(group: "period" | "date" | "hour"): Promise<ById<number>>;
  /** Of the apps ever, whatever the days and filters. */
  lifetime(): Promise<Lifetime>;
  lifetimeByApp(): Promise<ReadonlyMap<number, Lifetime>>;
}

export function numbersOf(read: ClickHouseClient, scope: Scope): Numbers {
  const here = bindScope(scope);
  const withPrevious = bindScope(scope, previousRange(scope.range).ds);
  const asked = new Map<string, Promise<unknown>>();
  const once = <T>(key: string, ask: () => Promise<T>): Promise<T> => {
    const answer = (asked.get(key) as Promise<T> | undefined) ?? ask();
    asked.set(key, answer);
    return answer;
  };
  return {
    scope,
    sums: (group) => once(`sums ${group}`, async () => sumsById(await askStore(read, SUMS[group], here))),
    uniques: (group) =>
      once(`uniques ${group}`, async () => uniquesById(await askStore(read, uniquesStat(scope, group), here))),
    sumsWithPrevious: (group) =>
      once(`sums with previous ${group}`, async () =>
        sumsById(await askStore(read, group === "hour" ? hourlySums : SUMS[group], withPrevious)),
      ),
    uniquesWithPrevious: (group) =>
      once(`uniques with previous ${group}`, async () =>
        uniquesById(await askStore(read, group === "hour" ? hourlyUniques : uniquesStat(scope, group), withPrevious)),
      ),
    lifetime: () =>
      once(
        "lifetime",
        async () => (await askStore(read, lifetimeTotal, { appIds: [...scope.appIds] }))[0] ?? NO_LIFETIME,
      ),
    lifetimeByApp: () =>
      once("lifetime by app", async () => {
        const rows = await askStore(read, lifetimeByApp, { appIds: [...scope.appIds] });
        return new Map(rows.map(({ appId, ...lifetime }) => [appId, lifetime]));
      }),
  };
}

const sumsById = (rows: Sums[]): ById<Sums> => new Map(rows.map((row) => [row.id, row]));
const uniquesById = (rows: { id: string; uniques: number }[]): ById<number> =>
  new Map(rows.map(({ id, uniques }) => [id, uniques]));
