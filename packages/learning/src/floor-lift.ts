import { type Evidence, meanOf, scatterOf } from "./evidence.ts";

/** A range of values. */
export interface Interval {
  low: number;
  high: number;
}

const UNKNOWN: Interval = { low: -Infinity, high: Infinity };
/** The interval is narrowest near so many sightings; it is valid at every number of them. */
const NARROWEST_AT = 5000;
/** Below it, the variance is not known well enough. */
const FEWEST = 100;

/**
 * The means that are still possible: with probability 1 − `alpha` the true mean is in this interval at every moment,
 * however often it is looked at. An asymptotic confidence sequence (Robbins' normal mixture; Waudby-Smith, Arbour,
 * Sinha, Kennedy and Ramdas 2021): revenue has no upper bound, so the exact one for rates does not apply.
 */
export function meanInterval(evidence: Evidence, alpha: number): Interval {
  const { count } = evidence;
  const scatter = scatterOf(evidence);
  if (count < FEWEST || scatter === 0) return UNKNOWN;
  const log = -2 * Math.log(alpha);
  const tuning = (log + Math.log(log) + 1) / NARROWEST_AT;
  const grown = count * tuning + 1;
  const width = Math.sqrt(
    (scatter / count) * ((2 * grown) / (count ** 2 * tuning)) * Math.log(Math.sqrt(grown) / alpha),
  );
  const mean = meanOf(evidence);
  return { low: mean - width, high: mean + width };
}

/** The maximum probability that a floor without any effect is ever believed to have one. */
const FALSE_ALARMS = 0.05;

/** The effect of automatic floors on the revenue of a request, as a share: 0.1 is 10% more. */
export interface Lift {
  /** Null without a request on either side. */
  lift: number | null;
  /** All effects that are still possible. */
  possible: Interval;
  /** No loss is possible. */
  isProven: boolean;
}

/** Compares the revenue of requests with automatic floors with that of the hold-out, which always has the publisher's floor. */
export function liftOf(automatic: Evidence, held: Evidence): Lift {
  const [automaticInterval, heldInterval] = [
    meanInterval(automatic, FALSE_ALARMS / 2),
    meanInterval(held, FALSE_ALARMS / 2),
  ];
  const base = meanOf(held);
  const possible =
    heldInterval.low > 0
      ? { low: automaticInterval.low / heldInterval.high - 1, high: automaticInterval.high / heldInterval.low - 1 }
      : { low: -1, high: Infinity };
  return {
    lift: automatic.count === 0 || base === 0 ? null : meanOf(automatic) / base - 1,
    possible: { low: Math.max(-1, possible.low), high: possible.high },
    isProven: possible.low > 0,
  };
}
