import { HOUR_MS, formatDay, formatDayShort } from "@millrace/units";

/** A point's label on the axis: `Nov 19`, or `05:00` within a day. */
export function tickOf(date: string): string {
  const hour = hourIn(date);
  return hour === null || hour === "00:00" ? formatDayShort(date.slice(0, 10)) : hour;
}

/** The same in full: `Nov 19th, 2026`, `Nov 19th, 2026, 05:00 UTC`. */
export function titleOf(date: string): string {
  const hour = hourIn(date);
  return formatDay(date.slice(0, 10)) + (hour === null ? "" : `, ${hour} UTC`);
}

const hourIn = (date: string): string | null => /T(\d{2}:\d{2})/.exec(date)?.[1] ?? null;

/** The values up to now. Future hours have no values, so the line does not fall to zero. */
export function untilNow(dates: readonly string[], values: readonly (number | null)[], nowMs: number) {
  return values.map((value, index) => (startOf(dates[index] ?? "") > nowMs ? null : value));
}

/** As `titleOf`, with a note if the hour or day is not over. */
export function titleNow(date: string, nowMs: number): string {
  return titleOf(date) + (isOpen(date, nowMs) ? ", so far" : "");
}

/** The index of the unfinished point; undefined if all are over. */
export function openPoint(dates: readonly string[], nowMs: number): number | undefined {
  const index = dates.findIndex((date) => isOpen(date, nowMs));
  return index === -1 ? undefined : index;
}

function isOpen(date: string, nowMs: number): boolean {
  const start = startOf(date);
  return start <= nowMs && nowMs < start + (hourIn(date) === null ? 24 * HOUR_MS : HOUR_MS);
}

/** The interval of labels on the axis: at most eight labels, and round hours. */
export function tickStep(dates: readonly string[]): number {
  const least = Math.ceil(dates.length / MOST_TICKS);
  if (hourIn(dates[0] ?? "") === null) return Math.max(1, least);
  return HOUR_STEPS.find((step) => step >= least) ?? least;
}

const MOST_TICKS = 8;
const HOUR_STEPS = [1, 2, 3, 4, 6, 12, 24];

const startOf = (date: string): number => Date.parse(date.length === 10 ? `${date}T00:00:00Z` : date);
