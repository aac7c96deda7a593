import type { AppParts } from "@millrace/contract";
import { percentOf } from "@millrace/units";
import type { AskStore } from "./ask-store.ts";
import { type CountList, noAdReasons, sdkVersions } from "./daily-lists.stat.ts";
import type { Numbers } from "./numbers.ts";
import { type Scope, bindScope, isCut, partOfDay } from "./scope.ts";
import { byText, reasonText } from "./shares.ts";

/** The sessions of each SDK version, the most first. */
export async function sdkShares(ask: AskStore, numbers: Numbers): Promise<AppParts["sdk_versions"]> {
  const shares = await sharesOf(ask, numbers, sdkVersions);
  return shares.map(({ id, count, last, ...share }) => ({
    version: id,
    sessions: count,
    last_sessions: last,
    ...share,
  }));
}

/** The requests without an ad for each reason, the most first. */
export async function noAdShares(ask: AskStore, numbers: Numbers): Promise<AppParts["why_no_ad"]> {
  const shares = await sharesOf(ask, numbers, noAdReasons);
  return shares.map(({ id, count, last, ...share }) => ({
    reason: id,
    text: reasonText(id),
    requests: count,
    last_requests: last,
    ...share,
  }));
}

type Counts = ReadonlyMap<string, number>;

async function sharesOf(ask: AskStore, { scope, compared }: Numbers, list: CountList) {
  // Of a part of a day only raw rows know these counts.
  const isKnown = compared !== null && (!isCut(compared.scope) || compared.comparison.isExact);
  const [counts, last] = await Promise.all([
    countsOf(ask, scope, list),
    isKnown ? countsOf(ask, compared.scope, list) : null,
  ]);
  const [all, lastAll] = [sumOf(counts), last && sumOf(last)];
  return [...counts]
    .toSorted(([a, left], [b, right]) => right - left || byText(a, b))
    .map(([id, count]) => ({
      id,
      count,
      share: percentOf(count, all) ?? 0,
      last: last ? (last.get(id) ?? 0) : null,
      last_share: last ? percentOf(last.get(id) ?? 0, lastAll ?? 0) : null,
    }));
}

async function countsOf(ask: AskStore, scope: Scope, { ofDays, ofPartDay }: CountList): Promise<Counts> {
  const params = bindScope(scope);
  const parts = await Promise.all([
    params.ds <= params.de ? ask(ofDays, params) : [],
    isCut(scope) ? ask(ofPartDay, { ...params, ...partOfDay(scope) }) : [],
  ]);
  const counts = new Map<string, number>();
  for (const { id, count } of parts.flat()) counts.set(id, (counts.get(id) ?? 0) + count);
  return counts;
}

const sumOf = (counts: Counts): number => [...counts.values()].reduce((sum, count) => sum + count, 0);
