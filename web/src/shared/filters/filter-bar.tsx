import { FORMAT_LABELS, type Format } from "@millrace/contract";
import type { ReactNode } from "react";
import { ChoiceFilter } from "../../ui/fields/choice-filter.tsx";
import type { Filter } from "./address.ts";
import { FilterFrame } from "./filter-frame.tsx";
import { useFilterOptions } from "./use-filter-options.ts";

interface FilterBarProps {
  filter: Filter;
  onChange: (change: Partial<Filter>) => void;
  /** The first day with an event, where "All Time" starts; by default that of all the account's apps. */
  firstDay?: string | undefined;
  /** Controls beside the dates, always in sight. */
  beside?: ReactNode;
  /** Filters specific to this page. */
  children?: ReactNode;
  /** Content at the right end. */
  aside?: ReactNode;
}

/** Dates, networks, formats and countries. Works before the options load: chosen values show by their ids. */
export function FilterBar({ filter, onChange, firstDay, beside, children, aside }: FilterBarProps) {
  const options = useFilterOptions().data;
  return (
    <FilterFrame
      range={{ ds: filter.ds, de: filter.de }}
      limits={options && { ds: options.dates.min, de: options.dates.max }}
      first={firstDay ?? options?.first_day ?? undefined}
      set={[filter.provider, filter.format, filter.country].filter((values) => values.length > 0).length}
      onRange={onChange}
      beside={beside}
      aside={aside}
    >
      <ChoiceFilter
        what="networks"
        options={options?.providers ?? {}}
        chosen={filter.provider}
        onChange={(provider) => onChange({ provider })}
      />
      <ChoiceFilter
        what="formats"
        options={options?.formats ?? FORMAT_LABELS}
        chosen={filter.format}
        onChange={(format) => onChange({ format: format as Format[] })}
      />
      <ChoiceFilter
        what="countries"
        options={options?.countries ?? {}}
        chosen={filter.country}
        onChange={(country) => onChange({ country })}
      />
      {children}
    </FilterFrame>
  );
}
