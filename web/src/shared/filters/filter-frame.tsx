import { EARLIEST_DATE } from "@millrace/contract";
import { type DayRange, dayOf } from "@millrace/units";
import { type ReactNode, useId, useState } from "react";
import { DateRangeFilter } from "../../ui/fields/date-range-filter.tsx";
import classes from "./filter-bar.module.css";

interface FilterFrameProps {
  range: DayRange;
  /** The days that can be chosen; all that a statistic can have until they are loaded. */
  limits: DayRange | undefined;
  /** The first day with an event, where "All Time" starts. */
  first: string | undefined;
  /** How many filters are set. */
  set: number;
  onRange: (range: DayRange) => void;
  /** Controls beside the dates, always in sight. */
  beside?: ReactNode;
  /** The filters. */
  children: ReactNode;
  /** Content at the right end. */
  aside?: ReactNode;
}

/** Dates and filters. On a phone, all but the dates fold behind a button, which says how many filters are set. */
export function FilterFrame({ range, limits, first, set, onRange, beside, children, aside }: FilterFrameProps) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const all = { ds: EARLIEST_DATE, de: dayOf(Date.now()) };
  return (
    <div className={classes.bar} role="group" aria-label="Filters">
      <DateRangeFilter range={range} limits={limits ?? all} first={first} onApply={onRange} />
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
        {children}
      </div>
      {aside === undefined ? null : <div className={classes.aside}>{aside}</div>}
    </div>
  );
}
