/** Every device lies in one of so many lots, by a hash (server/migrations/clickhouse/0003_devices.sql). */
export const LOTS = 64;

/** How many lots may be read of a group that has many devices; all of them of every other. */
export const SAMPLES = [1, 2, 3, 5, 8, 12, 20, 32] as const;
export type Sample = (typeof SAMPLES)[number];

/**
 * A sample of this many devices is off by 0.63% at the standard deviation, so that two in a hundred are three of them.
 * Groups that do not have twice as many are counted whole, and so exactly.
 */
const ENOUGH = 25_000;

/** By how many devices of each group are in one lot: the groups whose devices can be counted in so few lots. */
export function planSamples<Id>(inOneLot: ReadonlyMap<Id, number>): Map<Sample, Id[]> {
  const plan = new Map<Sample, Id[]>();
  for (const [id, devices] of inOneLot) {
    const sample = SAMPLES.find((lots) => devices * lots >= ENOUGH);
    if (sample !== undefined) plan.set(sample, [...(plan.get(sample) ?? []), id]);
  }
  return plan;
}

/** All devices of a group, by those found in so many lots. */
export const scaledUp = (found: number, lots: number): number => Math.round((found * LOTS) / lots);
