import { EARLIEST_DATE, FORMAT_LABELS, type Format } from "@millrace/contract";
import { dayOf } from "@millrace/units";
import { type ReactNode, useId, useState } from "react";
import { ChoiceFilter } from "../../ui/fields/choice-filter.tsx";
import { DateRangeFilter } from "../../ui/fields/date-range-filter.tsx";
import type { Filter } from "./address.ts";
import classes from "./filter-bar.module.css";
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

/**
 * Dates, networks, formats and countries. Works before the options load: chosen values show by their ids. On a phone, all
 * but the dates fold behind a button, which says how many filters are set.
 */
export function FilterBar({ filter, onChange, firstDay, beside, children, aside }: FilterBarProps) {
  const options = useFilterOptions().data;
  const [open, setOpen] = useState(false);
  const id = useId();
  const set = [filter.provider, filter.format, filter.country].filter((values) => values.length > 0).length;
  const first = firstDay ?? options?.first_day ?? undefined;
  const limits = { ds: options?.dates.min ?? EARLIEST_DATE, de: options?.dates.max ?? dayOf(Date.now()) };
  return (
    <div className={classes.bar} role="group" aria-label="Filters">
      <DateRangeFilter range={{ ds: filter.ds, de: filter.de }} limits={limits} first={first} onApply={onChange} />
      {beside}
      <button
        type="button"
        className={classes.fold}
        aria-expanded={open}
        aria-controls={id}
        data-on={set > 0 ? "" : undefined}
        onClick={() => setOpen(!open)}
      >
        {set > 0 ? `Filters, ${set} set` : "Filters"}
      </button>
      <div id={id} className={classes.folded} data-open={open ? "" : undefined}>
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
      </div>
      {aside === undefined ? null : <div className={classes.aside}>{aside}</div>}
    </div>
  );
}
