import type { AppBids, BidBucket, Floor, FloorEffect } from "@millrace/contract";
import { formatCountExact } from "@millrace/units";
import type { HighestBidsRow } from "../../statistics/index.ts";

/** The requests that a floor decides: a country and format, or null for all that have no rule of their own. */
export type FloorRule = Pick<Floor, "country" | "format">;

/** The floor of a country and format: the most specific rule applies. */
export function ruleFor(floors: readonly Floor[], country: string, format: string): Floor | undefined {
  const of = (c: string | null, f: string | null) => floors.find((floor) => floor.country === c && floor.format === f);
  return of(country, format) ?? of(country, null) ?? of(null, format) ?? of(null, null);
}

/** Whether a rule decides a country's requests for a format, given the other rules. */
export function decides(rule: FloorRule, floors: readonly Floor[], country: string, format: string): boolean {
  const others = floors.filter((floor) => floor.country !== rule.country || floor.format !== rule.format);
  const asked = ruleFor([...others, { ...rule, floor: 0 }], country, format);
  return asked?.country === rule.country && asked.format === rule.format;
}

/** The highest bids on the requests that a rule decides, and the effect of another floor on them. */
export function bidsUnder(
  rows: readonly HighestBidsRow[],
  { rule, floors, floor }: { rule: FloorRule; floors: readonly Floor[]; floor: number | undefined },
): Omit<AppBids, "day"> {
  const own = rows.filter(({ country, format }) => decides(rule, floors, country, format));
  const inForce = (row: HighestBidsRow) => ruleFor(floors, row.country, row.format)?.floor ?? 0;
  const sum = (pick: (row: HighestBidsRow) => number) => own.reduce((total, row) => total + pick(row), 0);
  // The rule may have decided no request that day.
  const ruled =
    own.length > 0 ? own.map(inForce) : floors.filter((each) => isSame(each, rule)).map((each) => each.floor);
  return {
    requests: sum(({ requests }) => requests),
    without_bid: sum(({ bucket, requests }) => (bucket === 0 ? requests : 0)),
    impressions: sum(({ impressions }) => impressions),
    revenue: sum(({ revenueMicros }) => Number(revenueMicros)),
    buckets: bucketsOf(own),
    floors: [...new Set(ruled)].sort((a, b) => a - b),
    effect: floor === undefined ? null : effectOf(own),
  };
}

const isSame = (a: FloorRule, b: FloorRule) => a.country === b.country && a.format === b.format;

function bucketsOf(rows: readonly HighestBidsRow[]): BidBucket[] {
  const buckets = new Map<number, BidBucket>();
  for (const { bucket, requests, sold, impressions, revenueMicros } of rows) {
    if (bucket === 0) continue;
    const of = buckets.get(bucket) ?? { from: bucket, requests: 0, sold: 0, impressions: 0, revenue: 0 };
    of.requests += requests;
    of.sold += sold;
    of.impressions += impressions;
    of.revenue += Number(revenueMicros);
    buckets.set(bucket, of);
  }
  return [...buckets.values()].sort((a, b) => a.from - b.from);
}

/**
 * What a floor would have changed, in a first-price auction: it loses the impressions sold below it and leaves the price of
 * all others. It sells the requests whose bids failed only the floor that applied then, at those bids. The rows already tell
 * what the day's own floors did, so the floor in force now does not matter.
 */
function effectOf(rows: readonly HighestBidsRow[]): FloorEffect {
  const sum = (pick: (row: HighestBidsRow) => number) => rows.reduce((total, row) => total + pick(row), 0);
  const lost = sum((row) => row.impressionsBelow);
  const lostMicros = sum((row) => Number(row.revenueBelowMicros));
  const [sold, shown] = [sum((row) => row.sold), sum((row) => row.impressions)];
  const [soldMicros, revenue] = [sum((row) => Number(row.soldMicros)), sum((row) => Number(row.revenueMicros))];
  const gained = sum((row) => row.unsoldAbove);
  const gainedMicros = sum((row) => Number(row.unsoldAboveMicros));
  // New answers are shown, and paid, as often as the day's others.
  const more = sold === 0 ? 0 : Math.round((gained * shown) / sold);
  const moreMicros = soldMicros === 0 ? 0 : Math.round((gainedMicros * revenue) / soldMicros);
  return {
    impressions: more - lost,
    revenue: moreMicros - lostMicros,
    basis: basisOf({ loses: lost > 0, gains: gained > 0, shown }),
  };
}

function basisOf({ loses, gains, shown }: { loses: boolean; gains: boolean; shown: number }): string {
  const impressions = `yesterday's ${formatCountExact(shown)} impressions`;
  const up = `Estimated from ${impressions}: those sold below the new floor are lost, and the others keep their price. Partners see the floor and may bid more; that is not counted.`;
  const down = `Estimated from bids that failed yesterday's floor, at the price of the bid. Most partners see the floor and do not bid below it, so a lower floor can bring more than this.`;
  if (loses) return gains ? `${up} ${down}` : up;
  if (gains) return down;
  return `Estimated from ${impressions}: none was sold below this floor, and no request without an ad had a bid above it that failed yesterday's.`;
}
