import { type ChangeFigures, type Changes, MOST_MOVERS, type MoverGroup, type RevenueChange } from "@millrace/contract";
import { ecpmMicros, fillRate, splitRevenueChange } from "@millrace/units";
import { NO_SUMS, microsNumber } from "./metrics.ts";
import type { Numbers } from "./numbers.ts";
import { type Sums, TOTAL } from "./sums.stat.ts";
import { comparedUntil } from "./totals.ts";

export interface ChangesQuery {
  /** The groups that may explain the change. */
  groups: readonly MoverGroup[];
  /** The group of the movers; without it the one that explains most. */
  by?: MoverGroup | undefined;
  nameOf: (group: MoverGroup, id: string) => string;
}

/** A key of a group, with its sums in both periods. */
interface Moved {
  id: string;
  before: Sums;
  after: Sums;
  difference: bigint;
}

const FILTER_KEYS = {
  app: "app_id",
  provider: "provider",
  country: "country",
  format: "format",
  zone: "zone",
} as const satisfies Record<MoverGroup, string>;

/** What changed in the revenue since the compared period. Call it with a comparison only. */
export async function changes(numbers: Numbers, { groups, by, nameOf }: ChangesQuery): Promise<Changes> {
  const { compared } = numbers;
  if (!compared) throw new Error("changes need a compared period");
  const groupings = by === undefined ? groups : [by];
  const [before, after, ...moved] = await Promise.all([
    compared.sums("total"),
    numbers.sums("total"),
    ...groupings.map(async (group) => ({ group, keys: await movedKeys(numbers, group) })),
  ]);
  const total = changeOf(before.get(TOTAL) ?? NO_SUMS, after.get(TOTAL) ?? NO_SUMS);
  const chosen = mostTelling(moved);
  const movers = chosen.keys
    .filter(({ difference }) => difference !== 0n)
    .toSorted((a, b) => compareSizes(b.difference, a.difference) || (a.id < b.id ? -1 : 1))
    .slice(0, MOST_MOVERS)
    .map(({ id, before: had, after: has }) => ({
      id,
      name: nameOf(chosen.group, id),
      filter: { key: FILTER_KEYS[chosen.group], value: id },
      ...changeOf(had, has),
    }));
  return {
    ...total,
    compared: compared.comparison.range,
    compared_until: comparedUntil(numbers),
    by: chosen.group,
    movers,
    rest: total.difference - movers.reduce((sum, { difference }) => sum + difference, 0),
  };
}

async function movedKeys(numbers: Numbers, group: MoverGroup): Promise<Moved[]> {
  const [before, after] = await Promise.all([numbers.compared?.sums(group), numbers.sums(group)]);
  return [...new Set([...(before?.keys() ?? []), ...after.keys()])].map((id) => {
    const [had, has] = [before?.get(id) ?? NO_SUMS, after.get(id) ?? NO_SUMS];
    return { id, before: had, after: has, difference: has.revenueMicros - had.revenueMicros };
  });
}

export function changeOf(before: Sums, after: Sums): RevenueChange {
  const parts = splitRevenueChange(before, after);
  const factors = {
    requests: microsNumber(parts.requests),
    fillrate: microsNumber(parts.fillrate),
    ecpm: microsNumber(parts.ecpm),
  };
  const largest = (["requests", "fillrate", "ecpm"] as const).toSorted(
    (a, b) => Math.abs(factors[b]) - Math.abs(factors[a]),
  )[0];
  return {
    before: figuresOf(before),
    after: figuresOf(after),
    difference: microsNumber(after.revenueMicros - before.revenueMicros),
    factors,
    main: largest !== undefined && factors[largest] !== 0 ? largest : null,
  };
}

const figuresOf = ({ requests, impressions, revenueMicros }: Sums): ChangeFigures => ({
  requests,
  impressions,
  fillrate: fillRate(impressions, requests),
  ecpm: ecpmMicros(revenueMicros, impressions),
  revenue: microsNumber(revenueMicros),
});

interface MovedGroup {
  group: MoverGroup;
  keys: Moved[];
}

/** The group of which a few keys moved most apart from all others; the first of equal ones. */
export function mostTelling(groups: readonly MovedGroup[]): MovedGroup {
  const [first, ...others] = groups.map((one) => ({ ...one, apart: movedApart(one.keys) }));
  if (!first) throw new Error("there is a group to choose from");
  return others.reduce((best, one) => (one.apart > best.apart ? one : best), first);
}

/**
 * How far the keys that moved most went from where they would be if all keys had changed by the same percentage, in
 * micro-dollars. It is 0 for a single key, which has the whole difference and so tells nothing.
 */
function movedApart(keys: readonly Moved[]): number {
  const sum = (values: readonly bigint[]) => Number(values.reduce((total, value) => total + value, 0n));
  const before = sum(keys.map((key) => key.before.revenueMicros));
  const difference = sum(keys.map((key) => key.difference));
  const apart = keys.map((key) => {
    const share = before === 0 ? 1 / keys.length : Number(key.before.revenueMicros) / before;
    return Math.abs(Number(key.difference) - share * difference);
  });
  return apart
    .toSorted((a, b) => b - a)
    .slice(0, MOST_MOVERS)
    .reduce((total, value) => total + value, 0);
}

const sizeOf = (value: bigint) => (value < 0n ? -value : value);
const compareSizes = (a: bigint, b: bigint): number => Number(sizeOf(a) > sizeOf(b)) - Number(sizeOf(a) < sizeOf(b));
