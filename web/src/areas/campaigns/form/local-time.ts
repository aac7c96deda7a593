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
