import { daysIn, eachDay } from "@millrace/units";
import type { AskStore } from "./ask-store.ts";
import {
  SAMPLE_BUCKETS,
  type Plan,
  type Reading,
  type Sizes,
  isEnough,
  largest,
  planSamples,
  scaledUp,
} from "./sampling.ts";
import { type Scope, bindScope } from "./scope.ts";
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
 * a group needs is estimated from one bucket alone, so that the same devices are the same figure wherever it stands; a group
 * for which they prove too few is counted again.
 */
export async function countDevices(
  ask: AskStore,
  scope: Scope,
  group: SumsGroup,
  { only, expected, keepMs }: Counting = {},
): Promise<Map<string, number>> {
  const perBucket = expected ?? (await sizesInOneBucket(ask, scope, group));
  const devices = new Map<string, number>();
  const sizes = new Map<string, number>();
  const count = async (plan: Plan, others: Reading["others"]): Promise<string[]> => {
    const found = new Map<string, number>();
    for (const { reading, keptMs } of readings({ plan, others }, keepMs)) {
      const { stat, params } = uniquesIn(scope, group, reading);
      for (const { id, uniques } of await ask(stat, params, keptMs)) found.set(id, uniques);
    }
    const bucketsOf = new Map([...plan].flatMap(([sample, ids]) => ids.map((id) => [id, sample] as const)));
    for (const id of new Set([...bucketsOf.keys(), ...found.keys()])) {
      const buckets = bucketsOf.get(id) ?? SAMPLE_BUCKETS;
      sizes.set(id, (found.get(id) ?? 0) / buckets);
      if (found.has(id)) devices.set(id, scaledUp(found.get(id) ?? 0, buckets));
    }
    return [...bucketsOf].filter(([id, buckets]) => !isEnough(found.get(id) ?? 0, buckets)).map(([id]) => id);
  };
  const plan = planSamples(only ? sizesFor(perBucket, only) : perBucket);
  let unsure = await count(plan, only ? without(only, plan) : "whole");
  if (unsure.length > 0) {
    const again = planSamples(sizesFor(sizes, unsure));
    unsure = await count(again, without(unsure, again));
  }
  // Such an unlucky sample is rare; the third count is exact.
  if (unsure.length > 0) await count(new Map(), unsure);
  return devices;
}

/** Devices of each group in one bucket. While a day runs, they change little in a minute. */
export async function sizesInOneBucket(ask: AskStore, scope: Scope, group: SumsGroup): Promise<Sizes> {
  const { stat, params } = uniquesInOneBucket(scope, group);
  const keptMs = ask.closed.isOver(scope.range.de) ? undefined : RUNNING_SIZES_MS;
  return new Map((await ask(stat, params, keptMs)).map(({ id, uniques }) => [id, uniques]));
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

/** Distinct devices of each day that has any. A day that is over is counted once, whichever range it is asked in. */
export async function countDevicesByDay(ask: AskStore, scope: Scope): Promise<Map<string, number>> {
  const { ds: _ds, de: _de, ...filters } = bindScope(scope);
  const ofDay = (day: string) => `${JSON.stringify(filters)} ${day}`;
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
