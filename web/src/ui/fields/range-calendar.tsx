import { Button } from "@mantine/core";
import { DatePicker } from "@mantine/dates";
import "@mantine/dates/styles.layer.css";
import { addDays } from "@millrace/units";
import { type WheelEvent, useContext, useRef, useState } from "react";
import { type DateRange, datePresets } from "./date-presets.ts";
import classes from "./fields.module.css";
import { WeekStart } from "./week-start.ts";

interface RangeCalendarProps {
  range: DateRange;
  limits: DateRange;
  first: string | undefined;
  onApply: (range: DateRange) => void;
}

/** Wheel events closer together than this count as one. */
const TURN_MS = 180;

/** A scrolling month, the presets, and the button that applies the draft. */
export function RangeCalendar({ range, limits, first, onApply }: RangeCalendarProps) {
  const [draft, setDraft] = useState<[string | null, string | null]>([range.ds, range.de]);
  const [month, setMonth] = useState(range.de);
  const turnedAt = useRef(0);
  const weekStart = useContext(WeekStart);
  const turn = (event: WheelEvent) => {
    if (event.timeStamp - turnedAt.current < TURN_MS || event.deltaY === 0) return;
    turnedAt.current = event.timeStamp;
    const first = `${month.slice(0, 7)}-01`;
    const next = event.deltaY > 0 ? addDays(first, 32) : addDays(first, -1);
    if (next.slice(0, 7) >= limits.ds.slice(0, 7) && next.slice(0, 7) <= limits.de.slice(0, 7)) setMonth(next);
  };
  const [from, to] = draft;

  return (
    <div className={classes.calendar}>
      <div className={classes.presets} role="group" aria-label="Presets">
        {datePresets(limits, first).map((preset) => (
          <button
            key={preset.label}
            type="button"
            aria-pressed={preset.range.ds === from && preset.range.de === to}
            onClick={() => {
              setDraft([preset.range.ds, preset.range.de]);
              setMonth(preset.range.de);
            }}
          >
            {preset.label}
          </button>
        ))}
      </div>
      <div className={classes.month} onWheel={turn}>
        <DatePicker
          type="range"
          allowSingleDateInRange
          value={draft}
          onChange={setDraft}
          date={month}
          onDateChange={setMonth}
          minDate={limits.ds}
          maxDate={limits.de}
          size="sm"
          weekendDays={[]}
          firstDayOfWeek={weekStart}
          hideOutsideDates
          // Colours alone would tell which days are chosen.
          getDayProps={(day) => ({ "aria-pressed": from !== null && day >= from && day <= (to ?? from) })}
          ariaLabels={{ previousMonth: "Previous month", nextMonth: "Next month" }}
        />
        <Button
          fullWidth
          disabled={from === null}
          onClick={() => {
            if (from !== null) onApply({ ds: from, de: to ?? from });
          }}
        >
          Apply date change
        </Button>
        <p className={classes.note}>Days are UTC days.</p>
      </div>
    </div>
  );
}
