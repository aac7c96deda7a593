/** Every device lies in one of so many lots, by a hash (server/migrations/clickhouse/0003_devices.sql). */
export const LOTS = 64;

/** How many lots may be read of a group that has many devices; all of them of every other. */
export const SAMPLES = [1, 2, 3, 5, 8, 12, 20, 32, 44] as const;
export type Sample = (typeof SAMPLES)[number];
/** Which groups are counted in so many lots; those that it does not name, in all. */
export type Plan<Id = string> = ReadonlyMap<Sample, readonly Id[]>;

/** What one query reads: the groups of the plan in few lots, and in all lots everything else, or no more than is named. */
export interface Reading {
  plan: Plan;
  others: "whole" | readonly string[];
}

/** About how many devices of each group one lot has. */
export type Sizes = ReadonlyMap<string, number>;

/** Three standard deviations are within the 2% that are promised. */
const MOST_DEVIATION = 0.02 / 3;
/** A plan aims at a little less, as groups are not quite as large as they seem before they are counted. */
const PLANNED_DEVIATION = 0.0062;
/**
 * Groups of up to 10,000 devices are counted exactly: 156 devices in each lot. In one lot alone such a group can seem
 * larger, but never by five times the deviation.
 */
const SEEMS_LARGE = 220;
const IS_LARGE = 190;

/** The relative standard deviation of a count by so many lots: the fewer devices are left out, the smaller it is. */
const deviation = (devicesInALot: number, lots: number): number =>
  Math.sqrt((1 - lots / LOTS) / (devicesInALot * lots));

/** Whether a group of so many devices in a lot may be counted by a sample at all. */
export const isLarge = (inALot: number): boolean => inALot >= SEEMS_LARGE;

/** By about how many devices of each group are in one lot: the groups whose devices can be counted in so few lots. */
export function planSamples<Id>(inALot: ReadonlyMap<Id, number>): Map<Sample, Id[]> {
  const plan = new Map<Sample, Id[]>();
  for (const [id, devices] of inALot) {
    if (!isLarge(devices)) continue;
    const sample = SAMPLES.find((lots) => deviation(devices, lots) <= PLANNED_DEVIATION);
    if (sample !== undefined) plan.set(sample, [...(plan.get(sample) ?? []), id]);
  }
  return plan;
}

/** Whether so many devices found in so many lots are enough to tell how many there are in all. */
export const isEnough = (found: number, lots: Sample): boolean =>
  found / lots >= IS_LARGE && deviation(found / lots, lots) <= MOST_DEVIATION;

/** All devices of a group, by those found in so many lots. */
export const scaledUp = (found: number, lots: number): number => Math.round((found * LOTS) / lots);

/** By chance, a lot has seldom (once in a million times) further than so many deviations from its share. */
const FAR = 5;
/** Nor more than its share by so many, however small that is. */
const FEW = 14;

/**
 * Which groups can be among the largest so many, by their devices in one lot; undefined where groups that have none
 * in it may be.
 */
export function largest(inALot: Sizes, many: number): string[] | undefined {
  const atLeast = [...inALot.values()].map((found) => found - FAR * Math.sqrt(found)).toSorted((a, b) => b - a);
  const needed = atLeast[many - 1] ?? 0;
  if (needed <= FEW) return undefined;
  return [...inALot].filter(([, found]) => found + FAR * Math.sqrt(found) + FEW >= needed).map(([id]) => id);
}
