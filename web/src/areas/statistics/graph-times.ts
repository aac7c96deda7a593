import { HOUR_MS, formatDay, formatDayShort } from "@millrace/units";

/** The labels of points on the axis: `Nov 19`, `05:00` within a day, and the year too if the points are of several years. */
export function ticksOf(dates: readonly string[]): string[] {
  const years = yearOf(dates[0] ?? "") !== yearOf(dates.at(-1) ?? "");
  return dates.map((date) => {
    const hour = hourIn(date);
    if (hour !== null && hour !== "00:00") return hour;
    const day = formatDayShort(date.slice(0, 10));
    return years ? `${day}, ${yearOf(date)}` : day;
  });
}

/** The same in full: `Nov 19th, 2026`, `Nov 19th, 2026, 05:00 UTC`. */
export function titleOf(date: string): string {
  const hour = hourIn(date);
  return formatDay(date.slice(0, 10)) + (hour === null ? "" : `, ${hour} UTC`);
}

const hourIn = (date: string): string | null => /T(\d{2}:\d{2})/.exec(date)?.[1] ?? null;
const yearOf = (date: string): string => date.slice(0, 4);

/** The values up to the last finished point. The others have none, so that no line falls to what they have so far. */
export function finishedValues(dates: readonly string[], values: readonly (number | null)[], complete: string | null) {
  const last = complete === null ? -1 : dates.indexOf(complete);
  return values.map((value, index) => (index <= last ? value : null));
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

const isOpen = (date: string, nowMs: number): boolean => startOf(date) <= nowMs && nowMs < endOf(date);

/** The interval of labels on the axis: at most eight labels, and round hours. */
export function tickStep(dates: readonly string[]): number {
  const least = Math.ceil(dates.length / MOST_TICKS);
  if (hourIn(dates[0] ?? "") === null) return Math.max(1, least);
  return HOUR_STEPS.find((step) => step >= least) ?? least;
}

const MOST_TICKS = 8;
const HOUR_STEPS = [1, 2, 3, 4, 6, 12, 24];

const startOf = (date: string): number => Date.parse(date.length === 10 ? `${date}T00:00:00Z` : date);
const endOf = (date: string): number => startOf(date) + (hourIn(date) === null ? 24 * HOUR_MS : HOUR_MS);
