/** A UTC date and time in a time zone, by default the browser's: `Mon, Nov 9, 2026, 15:00`. */
export function localMoment(date: string, time: string, timeZone?: string): string {
  return format(date, time, { weekday: "short", month: "short", day: "numeric", year: "numeric" }, timeZone);
}

/** The same without the date, which a UTC time needs because clocks change. */
export const localTime = (date: string, time: string, timeZone?: string): string => format(date, time, {}, timeZone);

function format(date: string, time: string, parts: Intl.DateTimeFormatOptions, timeZone: string | undefined): string {
  return new Intl.DateTimeFormat("en-US", {
    ...parts,
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    ...(timeZone === undefined ? {} : { timeZone }),
  }).format(new Date(`${date}T${time}:00Z`));
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
