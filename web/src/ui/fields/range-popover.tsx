import { Popover } from "@mantine/core";
import "@mantine/core/styles/Popover.layer.css";
import { formatDay, formatDayRange } from "@millrace/units";
import { useRef, useState } from "react";
import type { DateRangeFilterProps } from "./date-range-filter.tsx";
import classes from "./fields.module.css";
import { RangeCalendar } from "./range-calendar.tsx";

/** The date chip with its calendar, initially open because the chip was just pressed. */
export function RangePopover({ range, limits, first, onApply }: DateRangeFilterProps) {
  const [open, setOpen] = useState(true);
  const chip = useRef<HTMLButtonElement>(null);
  return (
    <Popover
      opened={open}
      onChange={setOpen}
      onClose={() =>
        setTimeout(() => {
          // The focus returns to what had it at the opening: the first time, to the plain chip, which is gone.
          if (document.activeElement === document.body) chip.current?.focus();
        })
      }
      position="bottom-start"
      shadow="none"
      withinPortal={false}
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <button
          ref={chip}
          type="button"
          className={classes.chip}
          data-strong=""
          title={`${formatDay(range.ds)} to ${formatDay(range.de)}, UTC`}
          onClick={() => setOpen(!open)}
        >
          {formatDayRange(range)}
        </button>
      </Popover.Target>
      <Popover.Dropdown className={classes.dropdown} aria-label="Dates">
        {open ? (
          <RangeCalendar
            range={range}
            limits={limits}
            first={first}
            onApply={(applied) => {
              setOpen(false);
              onApply(applied);
            }}
          />
        ) : null}
      </Popover.Dropdown>
    </Popover>
  );
}
