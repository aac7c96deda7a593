import type { ComparedFilter } from "../../../shared/filters/address.ts";
import { ComparisonFilter } from "../../../shared/filters/comparison-filter.tsx";
import { usePart } from "../api.ts";
import type { Scope } from "../scope.ts";

interface ChosenComparisonProps {
  scope: Scope;
  onChange: (change: Pick<ComparedFilter, "compare">) => void;
}

/** What the page's days are compared with, and until when. */
export function ChosenComparison({ scope, onChange }: ChosenComparisonProps) {
  const until = usePart("totals", scope, { pace: "live" }).data?.compared_until;
  const { ds, de, compare } = scope.filter;
  return (
    <ComparisonFilter
      range={{ ds, de }}
      compare={compare}
      until={until}
      onChange={(chosen) => onChange({ compare: chosen })}
    />
  );
}
