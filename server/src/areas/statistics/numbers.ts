import { previousRange } from "@millrace/units";
import type { AskStore } from "./ask-store.ts";
import { hourlySums } from "./hourly-sums.stat.ts";
import { lifetimes } from "./lifetimes.ts";
import { countDevices } from "./count-devices.ts";
import type { Lifetime } from "./metrics.ts";
import { type Scope, bindScope } from "./scope.ts";
import { SUMS, type Sums, type SumsGroup } from "./sums.stat.ts";
import { hourlyUniques } from "./uniques.stat.ts";

/** Values by a group's key. */
type ById<T> = ReadonlyMap<string, T>;
type Group = SumsGroup | "hour";

/** The numbers of one scope. Parts that need the same ones share one query, and so cannot differ. */
export interface Numbers {
  scope: Scope;
  sums(group: Group): Promise<ById<Sums>>;
  uniques(group: Group): Promise<ById<number>>;
  /** Of the scope's apps ever, whatever the days and filters; app 0 is all of them together. */
  lifetimes(): Promise<ReadonlyMap<number, Lifetime>>;
  /** The same of as many days before. */
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
  const uniques = (group: Group): Promise<ById<number>> =>
    once(`uniques ${group}`, async () => {
      if (group === "hour") {
        const rows = await ask(hourlyUniques, params);
        return new Map(rows.map((row) => [row.id, row.uniques]));
      }
      if (group !== "app") return countDevices(ask, scope, group);
      // Who used two apps is one device of all.
      const [byApp, all] = await Promise.all([countDevices(ask, scope, group), uniques("total")]);
      return new Map([...byApp, ...all]);
    });
  return {
    scope,
    sums: (group) =>
      once(`sums ${group}`, async () => {
        const rows = await ask(group === "hour" ? hourlySums : SUMS[group], params);
        return new Map(rows.map((row) => [row.id, row]));
      }),
    uniques,
    lifetimes: () => once("lifetimes", () => lifetimes(ask, scope.appIds)),
    previous: () => numbersOf(ask, { ...scope, range: previousRange(scope.range) }),
  };
}
