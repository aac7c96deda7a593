/** A range of UTC days, as `yyyy-mm-dd`. All days of the platform are UTC days. */
export interface DayRange {
  /** First day. */
  ds: string;
  /** Last day, included. */
  de: string;
}

export const DAY_MS = 86_400_000;
export const HOUR_MS = 3_600_000;
export const MINUTE_MS = 60_000;

/** The UTC day of a time in epoch milliseconds. */
export const dayOf = (epochMs: number): string => new Date(epochMs).toISOString().slice(0, 10);

/** The start of a UTC day in epoch milliseconds. Throws RangeError for an invalid day. */
export function dayStartMs(day: string): number {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(ms) || dayOf(ms) !== day) throw new RangeError(`${day} is not a day`);
  return ms;
}

export const addDays = (day: string, days: number): string => dayOf(dayStartMs(day) + days * DAY_MS);

/** The number of days in a range, including both ends. */
export const daysIn = ({ ds, de }: DayRange): number => (dayStartMs(de) - dayStartMs(ds)) / DAY_MS + 1;

/** Every day of a range, in order; none if it ends before it starts. */
export function eachDay(range: DayRange): string[] {
  const first = dayStartMs(range.ds);
  return Array.from({ length: Math.max(0, daysIn(range)) }, (_, index) => dayOf(first + index * DAY_MS));
}

/** The start of every hour of a range, in order: `2026-11-19T05:00:00Z`. */
export function eachHour(range: DayRange): string[] {
  const first = dayStartMs(range.ds);
  return Array.from({ length: Math.max(0, daysIn(range) * 24) }, (_, index) => hourOf(first + index * HOUR_MS));
}

/** The start of the hour of a time in epoch milliseconds: `2026-11-19T05:00:00Z`. */
export const hourOf = (epochMs: number): string => `${new Date(epochMs).toISOString().slice(0, 13)}:00:00Z`;

/** The minute of the day at a time of day, `hh:mm`: 90 at `01:30`. */
export const minuteOfDay = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

/** The range of the same length that ends the day before this one starts. */
export function previousRange(range: DayRange): DayRange {
  const days = daysIn(range);
  return { ds: addDays(range.ds, -days), de: addDays(range.ds, -1) };
}
