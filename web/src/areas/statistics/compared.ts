import { formatChange, formatPointChange } from "@millrace/units";
import type { Figure } from "./metric-words.ts";

/** A figure that can be compared with the previous period: all but the lifetime value, which has no days. */
export type ComparedFigure = Exclude<Figure, "ltv">;

/** The change as text: percentages change by points, everything else by percent. */
export const changeOf = (figure: ComparedFigure, now: number | null, before: number | null): string | null =>
  IS_PERCENTAGE.has(figure) ? formatPointChange(now, before) : formatChange(now, before);

const IS_PERCENTAGE: ReadonlySet<ComparedFigure> = new Set(["fillrate", "ctr", "use_rate"]);
