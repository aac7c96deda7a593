import { setImmediate as nextTurn } from "node:timers/promises";
import { previousRange } from "@millrace/units";
import type { AskStore } from "./ask-store.ts";
import { hourlySums } from "./hourly-sums.stat.ts";
import { hourlyUniques } from "./hourly-uniques.stat.ts";
import { lifetimes } from "./lifetimes.ts";
import { countDevices, countDevicesByDay, countLargest } from "./count-devices.ts";
import type { Lifetime } from "./metrics.ts";
import { type Scope, bindScope } from "./scope.ts";
import { type Sums, type SumsGroup, TOTAL, sumOf, sumsStats } from "./sums.stat.ts";

/** Values by a group's key. */
type ById<T> = ReadonlyMap<string, T>;
type Group = SumsGroup | "hour";

/** The numbers of one scope. Parts of a page that need the same numbers share one query, so they cannot differ. */
export interface Numbers {
  scope: Scope;
  sums(group: Group): Promise<ById<Sums>>;
  uniques(group: Group): Promise<ById<number>>;
  /** Devices of at least the `many` largest groups; of all groups if those are asked for anyway. */
  mostUniques(group: SumsGroup, many: number): Promise<ById<number>>;
  /** Lifetime numbers of the scope's apps, regardless of days and filters; app 0 is all of them together. */
  lifetimes(): Promise<ReadonlyMap<number, Lifetime>>;
  /** The same for the same number of days before. */
  previous(): Numbers;
}

export function numbersOf(ask: AskStore, scope: Scope): Numbers {
  const params = bindScope(scope);
  const asked = new Map<string, Promise<unknown>>();
  const once = <T>(key: string, get: () => Promise<T>): Promise<T> => {
    const answer = (asked.get(key) as Promise<T> | undefined) ?? get();
    asked.set(key, answer);
    return answer;
  };
  const sumsBy = inSharedQueries(ask, scope);
  const uniques = (group: Group): Promise<ById<number>> =>
    once(`uniques ${group}`, async () => {
      if (group === "hour") {
        const rows = await ask(hourlyUniques(scope), params);
        return new Map(rows.map((row) => [row.id, row.uniques]));
      }
      if (group === "date") return countDevicesByDay(ask, scope);
      const [only, ...others] = scope.appIds;
      // A single app has all the devices.
      if (group !== "app" || only === undefined || others.length > 0) return countDevices(ask, scope, group);
      return new Map([[String(only), (await uniques("total")).get(TOTAL) ?? 0]]);
    });
  let before: Numbers | undefined;
  return {
    scope,
    sums: (group) =>
      once(`sums ${group}`, async () => {
        if (group !== "hour") return sumsBy(group);
        const rows = await ask(hourlySums(scope), params);
        return new Map(rows.map((row) => [row.id, row]));
      }),
    uniques,
    mostUniques: (group, many) =>
      once(`uniques ${group} ${many}`, async () => {
        // A part that wants all groups asks in the same turn.
        await nextTurn();
        return asked.has(`uniques ${group}`) ? uniques(group) : countLargest(ask, scope, group, many);
      }),
    lifetimes: () => once("lifetimes", () => lifetimes(ask, scope.appIds)),
    previous: () => (before ??= numbersOf(ask, { ...scope, range: previousRange(scope.range) })),
  };
}

/** Groups asked for in the same turn share their queries. The total is added up from days or apps if those are asked for anyway. */
function inSharedQueries(ask: AskStore, scope: Scope): (group: SumsGroup) => Promise<ById<Sums>> {
  let together: { groups: Set<SumsGroup>; rows: ReturnType<typeof rowsOf> } | undefined;
  const rowsOf = async (groups: Set<SumsGroup>) => {
    await nextTurn();
    together = undefined;
    const parts = (["date", "app"] as const).find((group) => groups.has(group));
    const isSummedUp = parts !== undefined && groups.delete("total");
    const answers = await Promise.all(sumsStats(groups, scope).map((stat) => ask(stat, bindScope(scope))));
    const rows = answers.flat();
    if (!isSummedUp) return rows;
    return [...rows, { group: "total" as const, ...sumOf(rows.filter(({ group }) => group === parts)) }];
  };
  return async (wanted) => {
    if (!together) {
      const groups = new Set<SumsGroup>();
      together = { groups, rows: rowsOf(groups) };
    }
    together.groups.add(wanted);
    const rows = await together.rows;
    return new Map(rows.filter(({ group }) => group === wanted).map((row) => [row.id, row]));
  };
}
