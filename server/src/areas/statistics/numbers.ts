import { setImmediate as nextTurn } from "node:timers/promises";
import type { Comparison } from "@millrace/units";
import type { AskStore } from "./ask-store.ts";
import { hourlySums } from "./hourly-sums.stat.ts";
import { hourlyUniques } from "./hourly-uniques.stat.ts";
import { lifetimes } from "./lifetimes.ts";
import { countDevices, countDevicesByDay, countLargest } from "./count-devices.ts";
import { type Lifetime, NO_SUMS } from "./metrics.ts";
import { partDaySums } from "./part-day-sums.stat.ts";
import { type Scope, bindScope, isCut, partOfDay } from "./scope.ts";
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
  /** The compared period's numbers; null without a comparison. */
  compared: ComparedNumbers | null;
}

/** The numbers of the compared period up to the moment at which it ends; its devices by `total` and `country` only. */
export interface ComparedNumbers extends Pick<Numbers, "scope" | "sums" | "uniques"> {
  comparison: ComparedPeriod;
  /** The devices of some of a group's keys. */
  uniquesOf(group: "country", ids: readonly string[]): Promise<ById<number>>;
  /** The numbers of all its days, however much of them is compared. */
  whole: Numbers;
  /** The same sums, but without the requests of providers: for lists of revenue. */
  earnings: Numbers["sums"];
  /** The sums between a moment of its last day, the start of an hour, and the moment at which the comparison ends. */
  sumsSince(momentMs: number): Promise<Sums>;
}

/** A comparison, and whether it ends at the last full minute. Where raw rows are gone it ends at the last full hour. */
export type ComparedPeriod = Comparison & { isExact: boolean };

export function numbersOf(
  ask: AskStore,
  scope: Scope,
  comparison: ComparedPeriod | null = null,
  hasSent = true,
): Numbers {
  const params = bindScope(scope);
  const answers = new Map<string, Promise<unknown>>();
  const once = <T>(key: string, get: () => Promise<T>): Promise<T> => {
    const answer = (answers.get(key) as Promise<T> | undefined) ?? get();
    answers.set(key, answer);
    return answer;
  };
  const sumsBy = inSharedQueries(ask, scope, hasSent);
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
        return answers.has(`uniques ${group}`) ? uniques(group) : countLargest(ask, scope, group, many);
      }),
    lifetimes: () => once("lifetimes", () => lifetimes(ask, scope.appIds)),
    compared: comparison && comparedNumbers(ask, scope, comparison),
  };
}

function comparedNumbers(ask: AskStore, scope: Scope, comparison: ComparedPeriod): ComparedNumbers {
  const { range, untilMs } = comparison;
  const whole = numbersOf(ask, { ...scope, range });
  const cut = { ...scope, range, untilMs };
  const uniquesOf: ComparedNumbers["uniquesOf"] = async (group, only) =>
    only.length === 0 ? new Map() : countDevices(ask, cut, group, { only });
  if (untilMs === null) {
    return { ...whole, comparison, uniquesOf, whole, earnings: whole.sums, sumsSince: async () => NO_SUMS };
  }
  const { sums, uniques } = numbersOf(ask, cut);
  const withoutSent = numbersOf(ask, cut, null, false).sums;
  return {
    scope: cut,
    sums,
    uniques,
    uniquesOf,
    comparison,
    whole,
    earnings: (group) => (group === "provider" || scope.providers.length > 0 ? withoutSent : sums)(group),
    async sumsSince(momentMs) {
      if (momentMs >= untilMs) return NO_SUMS;
      const params = { ...bindScope(cut), ...partOfDay({ ...cut, untilMs }, momentMs) };
      const [row] = await ask(partDaySums(new Set(["total"]), cut, true), params);
      return row ?? NO_SUMS;
    },
  };
}

/**
 * Groups asked for in the same turn share their queries. The total is added up from days, apps or countries, of which each row
 * has one, if those are asked for anyway.
 */
function inSharedQueries(ask: AskStore, scope: Scope, hasSent: boolean): (group: SumsGroup) => Promise<ById<Sums>> {
  let together: { groups: Set<SumsGroup>; rows: ReturnType<typeof rowsOf> } | undefined;
  const rowsOf = async (groups: Set<SumsGroup>) => {
    await nextTurn();
    together = undefined;
    const parts = (["date", "app", "country"] as const).find((group) => groups.has(group));
    const isSummedUp = parts !== undefined && groups.delete("total");
    const params = bindScope(scope);
    const days = params.ds <= params.de ? sumsStats(groups, scope).map((stat) => ask(stat, params)) : [];
    const part = isCut(scope) ? [ask(partDaySums(groups, scope, hasSent), { ...params, ...partOfDay(scope) })] : [];
    const answers = await Promise.all([...days, ...part]);
    const rows = isCut(scope) ? joined(answers.flat()) : answers.flat();
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

/** One row for each group and key. */
function joined<Row extends Sums & { group: SumsGroup }>(rows: readonly Row[]): Row[] {
  const byKey = new Map<string, Row>();
  for (const row of rows) {
    const key = `${row.group} ${row.id}`;
    const known = byKey.get(key);
    byKey.set(key, known ? { ...row, ...sumOf([known, row]), id: row.id } : row);
  }
  return [...byKey.values()];
}
