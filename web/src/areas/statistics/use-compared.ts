import { usePart } from "./api.ts";
import { type ComparedFigure, changeOf, isSum } from "./compared.ts";
import { type Against, type Scope, againstOf } from "./scope.ts";

/** A total with its change against the previous period. */
export interface Compared {
  before: number | null;
  /** `+12.4%`; null if there is nothing to compare with. */
  change: string | null;
  against: Against;
  /** The days are not over, so a lower sum means nothing yet. */
  soFar: boolean;
}

/** A total compared with the previous period of the same length; undefined until the totals are loaded. */
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
