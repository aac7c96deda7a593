import { formatChange, formatPointChange } from "@millrace/units";
import { usePart } from "./api.ts";
import { comparedPeriod } from "../../shared/filters/compared-period.ts";
import type { Figure } from "./metric-words.ts";
import type { Scope } from "./scope.ts";

/** A figure of apps that can be compared with the previous period: all but the lifetime value, which has no days. */
export type ComparedFigure = Exclude<Figure, "ltv" | "costs" | "conversions" | "view_conversions" | "cvr" | "cpa">;

/** The change as text: percentages change by points, everything else by percent. */
export const changeOf = (figure: Figure, now: number | null, before: number | null): string | null =>
  IS_PERCENTAGE.has(figure) ? formatPointChange(now, before) : formatChange(now, before);

const IS_PERCENTAGE: ReadonlySet<Figure> = new Set(["fillrate", "ctr", "cvr", "use_rate"]);

/** A total with its change from the compared period. */
export interface Compared {
  before: number | null;
  /** `+12.4%`; null if there is nothing to compare with. */
  change: string | null;
  /** The compared period: `Nov 16th – Nov 17th, 2026 to 05:14 UTC`. */
  against: string;
}

/** A total compared with the chosen period; undefined until the totals are loaded, and without a comparison. */
export function useCompared(scope: Scope): ((figure: ComparedFigure) => Compared) | undefined {
  const totals = usePart("totals", scope, { pace: "live" }).data;
  const against = useAgainst(scope);
  if (!totals || against === null) return undefined;
  return (figure) => {
    const before = totals[`last_${figure}`];
    return { before, change: changeOf(figure, totals[figure], before), against };
  };
}

/** The compared period in words, to the time at which it ends; null without a comparison. */
export function useAgainst(scope: Scope): string | null {
  const totals = usePart("totals", scope, { pace: "live" }).data;
  return comparedPeriod(scope.filter, totals?.compared_until);
}
