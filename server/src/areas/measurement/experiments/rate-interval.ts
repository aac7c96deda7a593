/** Successes among trials, such as clicks among impressions. */
export interface Counts {
  trials: number;
  successes: number;
}

export interface Interval {
  low: number;
  high: number;
}

/** The prior of the mixture (Jeffreys): it decides how soon an interval is narrow, never whether it is true. */
const PRIOR = 0.5;
const STEPS = 40;

/**
 * The rates that are still possible: with probability 1 − `alpha` the true rate is in this interval at every moment of an endless
 * test, however often it is looked at (a confidence sequence: Robbins' mixture with a beta prior, and Ville's inequality).
 */
export function rateInterval({ trials, successes }: Counts, alpha: number): Interval {
  if (trials === 0) return { low: 0, high: 1 };
  const failures = trials - successes;
  // A rate is possible while its likelihood is at least alpha times that of the mixture.
  const least = logBeta(successes + PRIOR, failures + PRIOR) - logBeta(PRIOR, PRIOR) + Math.log(alpha);
  const isPossible = (rate: number) => term(successes, rate) + term(failures, 1 - rate) >= least;
  const best = successes / trials;
  return {
    low: isPossible(0) ? 0 : edge(best, 0, isPossible),
    high: isPossible(1) ? 1 : edge(best, 1, isPossible),
  };
}

/** The possible differences of two rates, given the rates that are possible for each. */
export const differenceOf = (one: Interval, other: Interval): Interval => ({
  low: one.low - other.high,
  high: one.high - other.low,
});

/** `count · log(rate)`, which is 0 without any. */
const term = (count: number, rate: number): number => (count === 0 ? 0 : count * Math.log(rate));

function edge(possible: number, impossible: number, isPossible: (rate: number) => boolean): number {
  let [inside, outside] = [possible, impossible];
  for (let step = 0; step < STEPS; step++) {
    const middle = (inside + outside) / 2;
    if (isPossible(middle)) inside = middle;
    else outside = middle;
  }
  // The impossible side: an interval is rather too wide than too narrow.
  return outside;
}

const logBeta = (a: number, b: number): number => logGamma(a) + logGamma(b) - logGamma(a + b);

/** Stirling's series, after shifting small arguments to where it is exact to 12 digits. */
function logGamma(value: number): number {
  let shift = 0;
  let x = value;
  for (; x < 10; x++) shift -= Math.log(x);
  const square = 1 / (x * x);
  const series = (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square / 1680))) / x;
  return shift + (x - 0.5) * Math.log(x) - x + 0.5 * Math.log(2 * Math.PI) + series;
}
