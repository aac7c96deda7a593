import { DAY_MS, type DayRange, addDays, dayOf, dayStartMs, daysIn, previousRange } from "./days.ts";

/** How a range is compared: with the same number of days before it, with the same weekdays before it, or not at all. */
export type ComparisonKind = "previous" | "weekdays" | "none";

/** The compared days of a range. */
export function comparedRange(range: DayRange, kind: Exclude<ComparisonKind, "none">): DayRange {
  if (kind === "previous") return previousRange(range);
  const days = 7 * Math.ceil(daysIn(range) / 7);
  return { ds: addDays(range.ds, -days), de: addDays(range.de, -days) };
}

export interface Comparison {
  range: DayRange;
  /** The moment of its last day at which the comparison ends, in epoch milliseconds; null if it has the whole day. */
  untilMs: number | null;
}

/**
 * What a range is compared with at a moment. A range with today as its last day has no more than today's hours so far, so its
 * comparison ends at the same time of its own last day: at the last full `stepMs` (a minute, for example). Null for `none`.
 */
export function comparisonOf(
  range: DayRange,
  kind: ComparisonKind,
  { nowMs, stepMs }: { nowMs: number; stepMs: number },
): Comparison | null {
  if (kind === "none") return null;
  const compared = comparedRange(range, kind);
  const elapsedMs = nowMs - dayStartMs(range.de);
  if (range.de < dayOf(nowMs) || elapsedMs >= DAY_MS) return { range: compared, untilMs: null };
  const fullSteps = Math.floor(Math.max(0, elapsedMs) / stepMs) * stepMs;
  return { range: compared, untilMs: dayStartMs(compared.de) + fullSteps };
}
