import { type Counts, differenceOf, type Interval, rateInterval } from "./rate-interval.ts";

/** How often at most a test of creatives that are all alike ever names a better one, over its whole life. */
export const FALSE_ALARMS = 0.05;

/** An arm of a test: its rate, and those that are possible. */
export interface ComparedRate {
  id: string;
  /** Null without trials. */
  rate: number | null;
  possible: Interval;
}

export interface Comparison {
  arms: ComparedRate[];
  /** The best arm and the next one, by their rates; null while fewer than two have trials. */
  leading: { id: string; next: string; difference: Interval } | null;
  /** Whether the leading arm is better than every other; until then there is no difference yet. */
  isDecided: boolean;
}

/** Compares the rates of arms. The share of false alarms is split evenly, so that it holds for all arms together. */
export function compareRates(arms: readonly (Counts & { id: string })[]): Comparison {
  const alpha = FALSE_ALARMS / Math.max(1, arms.length);
  const compared = arms.map(({ id, trials, successes }) => ({
    id,
    rate: trials === 0 ? null : successes / trials,
    possible: rateInterval({ trials, successes }, alpha),
  }));
  const [first, second, ...others] = compared
    .filter(({ rate }) => rate !== null)
    .toSorted((a, b) => (b.rate ?? 0) - (a.rate ?? 0));
  if (!first || !second) return { arms: compared, leading: null, isDecided: false };
  const isBetter = [second, ...others].every(({ possible }) => first.possible.low > possible.high);
  return {
    arms: compared,
    leading: { id: first.id, next: second.id, difference: differenceOf(first.possible, second.possible) },
    isDecided: isBetter && compared.every(({ rate }) => rate !== null),
  };
}
