/** Every device lies in one of these buckets, by a hash (server/migrations/clickhouse/0003_devices.sql). */
export const SAMPLE_BUCKETS = 64;

/** How many buckets may be read for a large group; small groups are read whole. */
export const SAMPLES = [1, 2, 3, 5, 8, 12, 20, 32, 44] as const;
export type Sample = (typeof SAMPLES)[number];
/** All numbers of buckets that may be read of a group. */
export const BUCKET_COUNTS = [...SAMPLES, SAMPLE_BUCKETS] as const;
export type Buckets = (typeof BUCKET_COUNTS)[number];
/** The groups counted in each sample; groups that it does not name are counted in all buckets. */
export type Plan<Id = string> = ReadonlyMap<Sample, readonly Id[]>;

/** What one query reads: the groups of the plan in few buckets, and in all buckets either everything else or the named groups. */
export interface Reading {
  plan: Plan;
  others: "whole" | readonly string[];
}

/** About how many devices of each group one bucket has. */
export type Sizes = ReadonlyMap<string, number>;

/** Three standard deviations are within the 2% that are promised. */
const MOST_DEVIATION = 0.02 / 3;
/** Plans aim a little lower, since estimated sizes are not exact. */
const PLANNED_DEVIATION = 0.0062;
/**
 * Groups of up to 10,000 devices are counted exactly: 156 devices in each bucket. In one bucket alone such a group can seem
 * larger, but never by five times the deviation.
 */
const SEEMS_LARGE = 220;
const IS_LARGE = 190;

/** The relative standard deviation of a count by so many buckets: the fewer devices are left out, the smaller it is. */
const deviation = (devicesPerBucket: number, buckets: number): number =>
  Math.sqrt((1 - buckets / SAMPLE_BUCKETS) / (devicesPerBucket * buckets));

/** Whether a group of so many devices in a bucket may be counted by a sample at all. */
export const isLarge = (perBucket: number): boolean => perBucket >= SEEMS_LARGE;

/** How many buckets to read of a group with about so many devices in each. */
function bucketsFor(perBucket: number): Buckets {
  if (!isLarge(perBucket)) return SAMPLE_BUCKETS;
  return SAMPLES.find((buckets) => deviation(perBucket, buckets) <= PLANNED_DEVIATION) ?? SAMPLE_BUCKETS;
}

/**
 * The groups whose devices can be counted in so few buckets, judged by about how many devices of each group are in one bucket.
 */
export function planSamples<Id>(perBucket: ReadonlyMap<Id, number>): Map<Sample, Id[]> {
  const plan = new Map<Sample, Id[]>();
  for (const [id, devices] of perBucket) {
    const buckets = bucketsFor(devices);
    if (buckets !== SAMPLE_BUCKETS) plan.set(buckets, [...(plan.get(buckets) ?? []), id]);
  }
  return plan;
}

/**
 * How many devices a group has, or how many buckets must be read to tell, given its devices in the first 1, 2, 3, 5, … buckets
 * (BUCKET_COUNTS), of which so many were read. The buckets themselves tell how many of them decide, beginning with the first, so the
 * same devices are the same figure however many more were read.
 */
export function figureOrNeeded(inBuckets: readonly number[], read: Buckets): { devices: number } | { needs: Buckets } {
  const inFirst = (buckets: Buckets) => inBuckets[BUCKET_COUNTS.indexOf(buckets)] ?? 0;
  let buckets = bucketsFor(inFirst(1));
  while (buckets <= read) {
    const found = inFirst(buckets);
    if (buckets === SAMPLE_BUCKETS || isEnough(found, buckets)) return { devices: scaledUp(found, buckets) };
    // Always more than before, so the loop ends.
    buckets = bucketsFor(found / buckets);
  }
  return { needs: buckets };
}

/** Whether so many devices found in so many buckets are enough to tell how many there are in all. */
export const isEnough = (found: number, buckets: Sample): boolean =>
  found / buckets >= IS_LARGE && deviation(found / buckets, buckets) <= MOST_DEVIATION;

/** All devices of a group, by those found in so many buckets. */
export const scaledUp = (found: number, buckets: number): number => Math.round((found * SAMPLE_BUCKETS) / buckets);

/** By chance, a bucket has seldom (once in a million times) further than so many deviations from its share. */
const DEVIATIONS = 5;
/** Nor more than its share by so many, however small that is. */
const DEVICES_OFF = 14;

/**
 * Which groups can be among the largest so many, by their devices in one bucket; undefined where groups that have none
 * in it may be.
 */
export function largest(perBucket: Sizes, many: number): string[] | undefined {
  const atLeast = [...perBucket.values()]
    .map((found) => found - DEVIATIONS * Math.sqrt(found))
    .toSorted((a, b) => b - a);
  const needed = atLeast[many - 1] ?? 0;
  if (needed <= DEVICES_OFF) return undefined;
  return [...perBucket]
    .filter(([, found]) => found + DEVIATIONS * Math.sqrt(found) + DEVICES_OFF >= needed)
    .map(([id]) => id);
}
