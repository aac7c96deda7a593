import type { Changes, RevenueChange } from "@millrace/contract";
import { formatMoneyExact, formatMoneyTo, formatSigned, shownParts } from "@millrace/units";

/** One column of the way from the revenue before to the revenue now. */
export interface RevenueStep {
  id: "before" | "requests" | "fillrate" | "ecpm" | "now";
  /** In micro-dollars: a total, or what a factor's change brought. */
  micros: number;
  /** The ends of its bar in percent of the height, from below. */
  from: number;
  to: number;
}

interface RevenueSteps {
  steps: RevenueStep[];
  /** The bars of the totals do not begin at zero, and say so by a break. */
  broken: boolean;
}

/** A change smaller than this share of the totals would hardly be seen if the bars began at zero. */
const SMALL_SHARE = 0.35;
/** How much of a broken axis lies below the lowest step, in heights of all steps. */
const BELOW = 0.5;

/** The steps from the revenue before to the revenue now. Each begins where the one before it ends. */
export function revenueSteps({ before, after, factors }: RevenueChange): RevenueSteps {
  const levels = [before.revenue];
  for (const part of [factors.requests, factors.fillrate, factors.ecpm]) levels.push((levels.at(-1) ?? 0) + part);
  const [low, high] = [Math.min(...levels), Math.max(...levels)];
  const span = high - low;
  const broken = span > 0 && span < SMALL_SHARE * high;
  const bottom = broken ? Math.max(0, low - BELOW * span) : Math.min(0, low);
  const percent = (level: number) => (high > bottom ? (100 * (level - bottom)) / (high - bottom) : 0);
  const [start = 0, first = 0, second = 0, end = 0] = levels.map(percent);
  return {
    broken: bottom > 0,
    steps: [
      { id: "before", micros: before.revenue, from: percent(bottom), to: start },
      { id: "requests", micros: factors.requests, from: start, to: first },
      { id: "fillrate", micros: factors.fillrate, from: first, to: second },
      { id: "ecpm", micros: factors.ecpm, from: second, to: end },
      { id: "now", micros: after.revenue, from: percent(bottom), to: end },
    ],
  };
}

interface ShownChange {
  total: (micros: number) => string;
  /** The signed amount of a part, rounded so that the parts add up to the displayed totals. */
  difference: string;
  factors: string[];
  movers: string[];
  rest: string;
}

/** Cents say little about a difference of less than a dollar. */
const decimalsFor = (difference: number): number => (Math.abs(difference) < 1_000_000 ? 4 : 2);
const ALL_DECIMALS = 6;

/** The figures of a change as they are shown, so that steps and movers add up to the difference, and that to the totals. */
export function shownChange(changes: Changes, decimals = decimalsFor(changes.difference)): ShownChange {
  const { before, difference, factors, movers, rest } = changes;
  const inParts = (parts: readonly number[]): string[] | undefined =>
    shownParts(before.revenue, parts, decimals)?.map((shown, nth) =>
      shown === 0
        ? formatSigned(parts[nth] ?? 0, formatMoneyExact)
        : formatSigned(shown, (micros) => formatMoneyTo(micros, decimals)),
    );
  const whole = inParts([difference]);
  const steps = inParts([factors.requests, factors.fillrate, factors.ecpm]);
  const moved = inParts([...movers.map((mover) => mover.difference), rest]);
  // Where smaller amounts alone move a total, all digits of everything add up.
  if (!whole || !steps || !moved) return shownChange(changes, ALL_DECIMALS);
  return {
    total: (micros) => formatMoneyTo(micros, decimals),
    difference: whole.join(""),
    factors: steps,
    movers: moved.slice(0, -1),
    rest: moved.at(-1) ?? "",
  };
}
