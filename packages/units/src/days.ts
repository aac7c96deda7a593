/** UTC days as `yyyy-mm-dd` and the hours within them. Every day of the platform is a UTC day. */
export interface DayRange {
  /** First day. */
  ds: string;
  /** Last day, included. */
  de: string;
}

export const DAY_MS = 86_400_000;
export const HOUR_MS = 3_600_000;

/** The UTC day of a moment (epoch milliseconds). */
export const dayOf = (epochMs: number): string => new Date(epochMs).toISOString().slice(0, 10);

/** The first moment of a UTC day, in epoch milliseconds. Not a day: RangeError. */
export function dayStartMs(day: string): number {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(ms) || dayOf(ms) !== day) throw new RangeError(`${day} is not a day`);
  return ms;
}

export const addDays = (day: string, days: number): string => dayOf(dayStartMs(day) + days * DAY_MS);

/** How many days the range has, both ends counted. */
export const daysIn = ({ ds, de }: DayRange): number => (dayStartMs(de) - dayStartMs(ds)) / DAY_MS + 1;

/** Every day of the range, in order; none when it runs backwards. */
export function eachDay(range: DayRange): string[] {
  const first = dayStartMs(range.ds);
  return Array.from({ length: Math.max(0, daysIn(range)) }, (_, index) => dayOf(first + index * DAY_MS));
}

/** Every hour of the range, in order, as its first moment: `2026-11-19T05:00:00Z`. */
export function eachHour(range: DayRange): string[] {
  const first = dayStartMs(range.ds);
  return Array.from({ length: Math.max(0, daysIn(range) * 24) }, (_, index) => hourOf(first + index * HOUR_MS));
}

/** The first moment of the hour that holds a moment (epoch milliseconds): `2026-11-19T05:00:00Z`. */
export const hourOf = (epochMs: number): string => `${new Date(epochMs).toISOString().slice(0, 13)}:00:00Z`;

/** The equally long range that ends the day before this one begins. */
export function previousRange(range: DayRange): DayRange {
  const days = daysIn(range);
  return { ds: addDays(range.ds, -days), de: addDays(range.ds, -1) };
}
