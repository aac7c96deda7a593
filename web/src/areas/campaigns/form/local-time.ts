import { addDays, formatDay } from "@millrace/units";

/** A UTC date and time in a time zone, by default the browser's: `Mon, Nov 9th, 2026, 15:00`. Null where the calendar ends. */
export function localMoment(date: string, time: string, timeZone?: string): string | null {
  if (date > LAST_DAY) return null;
  const { weekday, day, clock } = localiser(timeZone)(date, time);
  return `${weekday}, ${formatDay(day)}, ${clock}`;
}

/** What hours of the UTC day, between two dates, are in a time zone: `16:00 to 00:00`, and what they become when its clocks change within a year. */
export function localHours({ from, to }: Hours, { first, last }: Dates, timeZone?: string): string {
  const local = localiser(timeZone);
  const on = (date: string) => `${local(date, from).clock} to ${local(date, to).clock}`;
  const before = on(first);
  // A whole day stays one, whatever the clocks say.
  if (from === "00:00" && to === "23:59") return before;
  const end = [last ?? LAST_DAY, daysLater(first, A_YEAR), LAST_DAY].toSorted()[0] ?? first;
  const isChanged = (date: string) => on(date) !== before;
  let week = first;
  while (week < end && !isChanged(daysLater(week, WEEK))) week = daysLater(week, WEEK);
  for (let date = week; date <= end && date <= daysLater(week, WEEK); date = daysLater(date, 1)) {
    if (!isChanged(date)) continue;
    // Clocks may change between the two hours of that day.
    const after = on(daysLater(date, 1));
    return `${before}, and ${after} ${on(date) === after ? "from" : "after"} ${formatDay(date)},`;
  }
  return before;
}

interface Hours {
  from: string;
  to: string;
}
interface Dates {
  first: string;
  /** Null for no end. */
  last: string | null;
}
const A_YEAR = 366;
/** No zone changes its clocks twice in so many days. */
const WEEK = 7;
/** The last day of the calendar with a day after it. */
const LAST_DAY = "9999-12-30";

function daysLater(date: string, days: number): string {
  const later = addDays(date, days);
  // Years of five digits come before the others.
  return later > date ? later : addDays(LAST_DAY, 1);
}

/** Turns UTC dates and times into those of a time zone. */
function localiser(timeZone: string | undefined) {
  const format = new Intl.DateTimeFormat("en-US", {
    weekday: "short",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    ...(timeZone === undefined ? {} : { timeZone }),
  });
  return (date: string, time: string) => {
    const parts = format.formatToParts(new Date(`${date}T${time}:00Z`));
    const partValue = (type: Intl.DateTimeFormatPartTypes) => parts.find((part) => part.type === type)?.value ?? "";
    return {
      weekday: partValue("weekday"),
      day: `${partValue("year")}-${partValue("month")}-${partValue("day")}`,
      clock: `${partValue("hour")}:${partValue("minute")}`,
    };
  };
}

/** As in ISO 8601: Monday is 1. */
export const DAYS = [
  { value: 1, label: "Mon", full: "Monday" },
  { value: 2, label: "Tue", full: "Tuesday" },
  { value: 3, label: "Wed", full: "Wednesday" },
  { value: 4, label: "Thu", full: "Thursday" },
  { value: 5, label: "Fri", full: "Friday" },
  { value: 6, label: "Sat", full: "Saturday" },
  { value: 7, label: "Sun", full: "Sunday" },
] as const;
