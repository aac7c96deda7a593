import { usePart } from "./api.ts";
import { type ComparedFigure, changeOf, isSum } from "./compared.ts";
import { type Against, type Scope, againstOf } from "./scope.ts";

/** A total of the days with its change against the time before. */
export interface Compared {
  before: number | null;
  /** `+12.4%`; null where there is nothing to compare with. */
  change: string | null;
  against: Against;
  /** The days are not over, so that a lower sum is no news yet. */
  soFar: boolean;
}

/** How a total of the days stands against the equally long time before; undefined until the totals are here. */
export function useCompared(scope: Scope): ((figure: ComparedFigure) => Compared) | undefined {
  const totals = usePart("totals", scope, { pace: "live" }).data;
  if (!totals) return undefined;
  const against = againstOf(scope);
  return (figure) => {
    const before = totals[`last_${figure}`];
    return {
      before,
      change: changeOf(figure, totals[figure], before),
      against,
      soFar: against.partial && isSum(figure),
    };
  };
}
