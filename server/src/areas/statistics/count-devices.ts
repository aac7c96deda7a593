import { createHash } from "node:crypto";
import { daysIn, eachDay } from "@millrace/units";
import type { AskStore } from "./ask-store.ts";
import {
  SAMPLE_BUCKETS,
  SAMPLES,
  type Buckets,
  type Plan,
  type Reading,
  type Sizes,
  figureOrNeeded,
  isLarge,
  largest,
  planSamples,
} from "./sampling.ts";
import { type Scope, bindScope, isCut } from "./scope.ts";
import type { SumsGroup } from "./sums.stat.ts";
import { uniquesIn, uniquesInOneBucket } from "./uniques.stat.ts";

export interface Counting {
  /** Counts these groups only. */
  only?: readonly string[] | undefined;
  /** Devices of each group in one bucket, if they are known. */
  expected?: Sizes;
  /** How long answers are reused, if not as long as others: for groups counted whole, and by samples. Needs `only`. */
  keepMs?: { whole: number; sampled: number };
}

/**
 * Distinct devices of each group by its key: exactly in groups of up to 10,000, within 2% in larger ones. How many buckets
 * are read of a group is a guess from the last count of similar groups. What was read tells how many it takes (figureOrNeeded), so that
 * the same devices are the same figure wherever it stands; a group that needs more than were read is read again.
 */
export async function countDevices(
  ask: AskStore,
  scope: Scope,
  group: SumsGroup,
  { only, expected, keepMs }: Counting = {},
): Promise<Map<string, number>> {
  const sizesKey = sizesKeyOf(scope, group);
  const known = expected ?? ask.sizes.get(sizesKey) ?? (await sizesInOneBucket(ask, scope, group));
  const perBucket = group === "date" ? forDays(known, only ?? eachDay(scope.range)) : known;
  const devices = new Map<string, number>();
  const sizes = new Map<string, number>();
  const plan = planSamples(only ? sizesFor(perBucket, only) : perBucket);
  let next: Reading | undefined = { plan, others: only ? without(only, plan) : "whole" };
  while (next !== undefined) {
    const bucketsOf = new Map([...next.plan].flatMap(([sample, ids]) => ids.map((id) => [id, sample] as const)));
    const found = new Map([...bucketsOf.keys()].map((id) => [id, NO_DEVICES]));
    for (const { reading, keptMs } of readings(next, keepMs)) {
      const { stat, params } = uniquesIn(scope, group, reading);
      for (const { id, inBuckets } of await ask(stat, params, keptMs)) found.set(id, inBuckets);
    }
    const needed = new Map<Buckets, string[]>();
    for (const [id, inBuckets] of found) {
      sizes.set(id, inBuckets[0] ?? 0);
      const verdict = figureOrNeeded(inBuckets, bucketsOf.get(id) ?? SAMPLE_BUCKETS);
      if ("devices" in verdict) devices.set(id, verdict.devices);
      else needed.set(verdict.needs, [...(needed.get(verdict.needs) ?? []), id]);
    }
    next = readingOf(needed);
  }
  // Other calls may have counted similar groups at the same time, on days with more devices.
  ask.sizes.set(sizesKey, remembered(ask.sizes.get(sizesKey) ?? known, sizes, group));
  return devices;
}

const NO_DEVICES: readonly number[] = [];

/** Reads these groups in so many buckets; undefined for none. */
function readingOf(groups: ReadonlyMap<Buckets, readonly string[]>): Reading | undefined {
  if (groups.size === 0) return undefined;
  const plan = new Map(SAMPLES.flatMap((sample) => (groups.has(sample) ? [[sample, groups.get(sample) ?? []]] : [])));
  return { plan, others: groups.get(SAMPLE_BUCKETS) ?? [] };
}

/** The key of similar counts: over the same number of days, groups are about as large. */
function sizesKeyOf(scope: Scope, group: SumsGroup): string {
  const { ds: _ds, de: _de, ...filters } = bindScope({ ...scope, untilMs: null });
  const days = group === "date" ? 1 : daysIn(scope.range);
  return `${group} ${days}${isCut(scope) ? " cut" : ""} ${JSON.stringify(filters)}`;
}

/** Devices of each group in one bucket. While a day runs, they change little in a minute. */
export async function sizesInOneBucket(ask: AskStore, scope: Scope, group: SumsGroup): Promise<Sizes> {
  const { stat, params } = uniquesInOneBucket(scope, group);
  const keptMs = ask.closed.isOver(scope.range.de) ? undefined : RUNNING_SIZES_MS;
  return new Map((await ask(stat, params, keptMs)).map(({ id, inBuckets }) => [id, inBuckets[0] ?? 0]));
}
const RUNNING_SIZES_MS = 60_000;

/** Both kinds in one query, or in two if their answers are reused for different times. */
function readings({ plan, others }: Reading, keepMs: Counting["keepMs"]) {
  if (!keepMs || others === "whole") return [{ reading: { plan, others }, keptMs: keepMs?.whole }];
  return [
    { reading: { plan, others: [] }, keptMs: keepMs.sampled },
    { reading: { plan: new Map() satisfies Plan, others }, keptMs: keepMs.whole },
  ].filter(({ reading }) => reading.plan.size > 0 || reading.others.length > 0);
}

const sizesFor = (sizes: Sizes, ids: readonly string[]): Sizes => new Map(ids.map((id) => [id, sizes.get(id) ?? 0]));

function without(ids: readonly string[], plan: Plan): string[] {
  const planned = new Set([...plan.values()].flat());
  return ids.filter((id) => !planned.has(id));
}

/** Other days of the same apps are about as large as the known ones: the smallest large one is a fair guess. */
function forDays(known: Sizes, days: readonly string[]): Sizes {
  const large = [...known.values()].filter(isLarge);
  const usual = large.length > 0 ? Math.min(...large) : 0;
  return new Map(days.map((day) => [day, known.get(day) ?? usual]));
}

/**
 * The sizes to expect next time. A group that was far smaller this time, as on days before an app was published, may be large
 * again: an estimate that is too high costs a second short query, one that is too low a long one.
 */
function remembered(known: Sizes, found: Sizes, group: SumsGroup): Sizes {
  const sizes = new Map(known);
  for (const [id, size] of found) sizes.set(id, group === "date" ? size : Math.max(size, (known.get(id) ?? 0) / 2));
  // Days that are known to be small are not taken as typical.
  return group === "date" ? sizes : new Map([...sizes].filter(([, size]) => isLarge(size)));
}

/** Distinct devices of each day that has any. A day that is over is counted once, whichever range it is asked in. */
export async function countDevicesByDay(ask: AskStore, scope: Scope): Promise<Map<string, number>> {
  const { ds: _ds, de: _de, ...filters } = bindScope(scope);
  // A hash, because each day has a key and there may be thousands of apps.
  const scopeHash = createHash("sha256").update(JSON.stringify(filters)).digest("base64url");
  const ofDay = (day: string) => `${scopeHash} ${day}`;
  const devices = new Map<string, number>();
  const missing: string[] = [];
  for (const day of eachDay(scope.range)) {
    const known = ask.byDay.get(ofDay(day));
    if (known && ask.closed.holds(known.askedAtMs)) devices.set(day, known.devices);
    else missing.push(day);
  }
  const [ds, de = ds] = [missing[0], missing.at(-1)];
  if (ds !== undefined && de !== undefined) {
    const range = { ds, de };
    const askedAtMs = performance.now();
    const closed = missing.filter((day) => ask.closed.isOver(day));
    const only = missing.length < daysIn(range) ? missing : undefined;
    const found = await countDevices(ask, { ...scope, range }, "date", { only });
    for (const [day, count] of found) devices.set(day, count);
    for (const day of closed) ask.byDay.set(ofDay(day), { askedAtMs, devices: found.get(day) ?? 0 });
  }
  return new Map([...devices].filter(([, count]) => count > 0));
}

/**
 * Distinct devices of all groups that can be among the `many` largest. Most groups are small, and counting the small ones
 * whole is what costs.
 */
export async function countLargest(
  ask: AskStore,
  scope: Scope,
  group: SumsGroup,
  many: number,
): Promise<Map<string, number>> {
  const expected = await sizesInOneBucket(ask, scope, group);
  return countDevices(ask, scope, group, { only: largest(expected, many), expected });
}
