import { formatDay, formatDayRange } from "@millrace/units";
import { Suspense, lazy, useState } from "react";
import type { DateRange } from "./date-presets.ts";
import classes from "./fields.module.css";

export interface DateRangeFilterProps {
  range: DateRange;
  /** The first and last selectable day. */
  limits: DateRange;
  /** The first day that has anything to show; the first selectable one by default. */
  first?: string | undefined;
  onApply: (range: DateRange) => void;
}

const loadCalendar = () => import("./range-popover.tsx");
const RangePopover = lazy(async () => ({ default: (await loadCalendar()).RangePopover }));

/** The chosen days, and a calendar to change them. A change takes effect when it is applied. */
export function DateRangeFilter(props: DateRangeFilterProps) {
  const [wasOpened, setWasOpened] = useState(false);
  const { range } = props;
  const chip = (
    <button
      type="button"
      className={classes.chip}
      data-strong=""
      aria-haspopup="dialog"
      aria-expanded={false}
      title={`${formatDay(range.ds)} to ${formatDay(range.de)}, UTC`}
      onPointerEnter={() => void loadCalendar()}
      onFocus={() => void loadCalendar()}
      onClick={() => setWasOpened(true)}
    >
      {formatDayRange(range)}
    </button>
  );
  if (!wasOpened) return chip;
  return (
    <Suspense fallback={chip}>
      <RangePopover {...props} />
    </Suspense>
  );
}
