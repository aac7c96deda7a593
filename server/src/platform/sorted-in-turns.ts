import { pauses } from "./pauses.ts";

type Compare<T> = (one: T, other: T) => number;

/** Comparing two names takes about a microsecond. */
const AT_ONCE = 1000;

/** The items in order, as `toSorted` has them. A long list yields to the event loop in between. */
export async function sortedInTurns<T>(items: readonly T[], compare: Compare<T>): Promise<T[]> {
  const pause = pauses();
  let runs: T[][] = [];
  for (let from = 0; from < items.length; from += AT_ONCE) {
    runs.push(items.slice(from, from + AT_ONCE).sort(compare));
    await pause();
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let nth = 0; nth < runs.length; nth += 2) merged.push(await mergedOf(runs[nth] ?? [], runs[nth + 1] ?? []));
    runs = merged;
  }
  return runs[0] ?? [];

  async function mergedOf(left: readonly T[], right: readonly T[]): Promise<T[]> {
    const merged: T[] = [];
    let [nth, other] = [0, 0];
    while (nth < left.length && other < right.length) {
      // Equal items keep their order.
      merged.push(compare(left[nth] as T, right[other] as T) <= 0 ? (left[nth++] as T) : (right[other++] as T));
      if (merged.length % AT_ONCE === 0) await pause();
    }
    for (; nth < left.length; nth++) merged.push(left[nth] as T);
    for (; other < right.length; other++) merged.push(right[other] as T);
    return merged;
  }
}
