import { formatChange, formatPointChange } from "@millrace/units";
import type { Figure } from "./metric-words.ts";

/** A figure that the time before has too: all but the lifetime value, which knows no days. */
export type ComparedFigure = Exclude<Figure, "ltv">;

/** The change in words: percentages change by points, everything else by percent. */
export const changeOf = (figure: ComparedFigure, now: number | null, before: number | null): string | null =>
  IS_PERCENTAGE.has(figure) ? formatPointChange(now, before) : formatChange(now, before);

/** A mean or a rate of a day that is not over is as good as any other; a sum is not. */
export const isSum = (figure: ComparedFigure): boolean => !IS_MEAN.has(figure) && !IS_PERCENTAGE.has(figure);

const IS_PERCENTAGE: ReadonlySet<ComparedFigure> = new Set(["fillrate", "ctr", "use_rate"]);
const IS_MEAN: ReadonlySet<ComparedFigure> = new Set(["ecpm", "current_session"]);
