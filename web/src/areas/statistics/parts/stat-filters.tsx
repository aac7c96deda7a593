import type { ReactNode } from "react";
import type { StatsAddress } from "../../../shared/filters/address.ts";
import { ComparisonFilter } from "../../../shared/filters/comparison-filter.tsx";
import { useFilterOptions } from "../../../shared/filters/use-filter-options.ts";
import { FilterBar } from "../../../shared/filters/filter-bar.tsx";
import { LiveMark } from "../../../ui/states/live-mark.tsx";
import { usePart } from "../api.ts";
import type { Scope } from "../scope.ts";

interface StatFiltersProps {
  scope: Scope;
  /** The first day with an event, where "All Time" starts; by default that of all the account's apps. */
  firstDay?: string | undefined;
  onChange: (change: Partial<StatsAddress>) => void;
  /** Filters specific to the page. */
  children?: ReactNode;
}

/** A page's days and filters, what its days are compared with, and how fresh the figures are. Past days do not change. */
export function StatFilters({ scope, firstDay, onChange, children }: StatFiltersProps) {
  const totals = usePart("totals", scope, { pace: "live" });
  const options = useFilterOptions().data;
  const { ds, de, compare } = scope.filter;
  return (
    <FilterBar
      filter={scope.filter}
      firstDay={firstDay}
      onChange={onChange}
      beside={
        <ComparisonFilter
          range={{ ds, de }}
          compare={compare}
          until={totals.data?.compared_until}
          firstDay={firstDay ?? options?.first_day}
          onChange={(chosen) => onChange({ compare: chosen })}
        />
      }
      aside={scope.live ? <LiveMark updatedAtMs={totals.dataUpdatedAt} failing={totals.isError} /> : undefined}
    >
      {children}
    </FilterBar>
  );
}
