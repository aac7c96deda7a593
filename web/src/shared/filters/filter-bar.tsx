import { EARLIEST_DATE, FORMAT_LABELS, type Format } from "@millrace/contract";
import { dayOf } from "@millrace/units";
import type { ReactNode } from "react";
import { ChoiceFilter } from "../../ui/fields/choice-filter.tsx";
import { DateRangeFilter } from "../../ui/fields/date-range-filter.tsx";
import type { Filter } from "./address.ts";
import classes from "./filter-bar.module.css";
import { useFilterOptions } from "./use-filter-options.ts";

interface FilterBarProps {
  filter: Filter;
  onChange: (change: Partial<Filter>) => void;
  /** Filters specific to this page. */
  children?: ReactNode;
  /** Content at the right end. */
  aside?: ReactNode;
}

/** Dates, networks, formats and countries. Works before the options load: chosen values show by their ids. */
export function FilterBar({ filter, onChange, children, aside }: FilterBarProps) {
  const options = useFilterOptions().data;
  const limits = { ds: options?.dates.min ?? EARLIEST_DATE, de: options?.dates.max ?? dayOf(Date.now()) };
  return (
    <div className={classes.bar} role="group" aria-label="Filters">
      <DateRangeFilter range={{ ds: filter.ds, de: filter.de }} limits={limits} onApply={onChange} />
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
      {aside === undefined ? null : <div className={classes.aside}>{aside}</div>}
    </div>
  );
}
