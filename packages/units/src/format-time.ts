import { type DayRange, dayStartMs } from "./days.ts";
import { NO_NUMBER } from "./format-number.ts";

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] as const;

/** A duration in minutes and seconds: `3m 12s`. */
export function formatDuration(seconds: number | null): string {
  if (seconds === null) return NO_NUMBER;
  const whole = Math.max(0, Math.round(seconds));
  return `${Math.floor(whole / 60)}m ${whole % 60}s`;
}

/** Ten years. */
const MOST_DAYS_LEFT = 3653;

/** How long something lasts, in whole days: `less than a day`, `about one day`, `about 12 days`, `more than ten years`. */
export function formatDaysLeft(days: number): string {
  const whole = Math.floor(days);
  if (whole > MOST_DAYS_LEFT) return "more than ten years";
  return whole < 1 ? "less than a day" : whole === 1 ? "about one day" : `about ${whole} days`;
}

/** An age in its largest whole unit: `2 s`, `5 min`, `3 h`, `12 d`. */
export function formatAge(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const step = AGE_STEPS.find((candidate) => whole >= candidate.seconds);
  return step ? `${Math.floor(whole / step.seconds)} ${step.unit}` : `${whole} s`;
}

const AGE_STEPS = [
  { unit: "d", seconds: 86_400 },
  { unit: "h", seconds: 3600 },
  { unit: "min", seconds: 60 },
] as const;

/** A UTC day in full: `Nov 19th, 2026`. */
export function formatDay(day: string): string {
  const { month, date, year } = read(day);
  return `${month} ${date}${ordinal(date)}, ${year}`;
}

/** A UTC day on an axis: `Nov 19`. */
export function formatDayShort(day: string): string {
  const { month, date } = read(day);
  return `${month} ${date}`;
}

/** A range of days: `Oct 21st – Nov 19th, 2026`. Both years are shown if they differ. */
export function formatDayRange({ ds, de }: DayRange): string {
  if (ds === de) return formatDay(ds);
  const [from, to] = [read(ds), read(de)];
  const start = from.year === to.year ? `${from.month} ${from.date}${ordinal(from.date)}` : formatDay(ds);
  return `${start} – ${formatDay(de)}`;
}

const LATER_LETTERS = ["uary", "ruary", "ch", "il", "", "e", "y", "ust", "tember", "ober", "ember", "ember"] as const;

/** A UTC month, given as `2026-10`: `October 2026`. Throws RangeError for anything else. */
export function formatMonth(month: string): string {
  const first = new Date(dayStartMs(`${month}-01`));
  const nth = first.getUTCMonth();
  return `${MONTHS[nth]}${LATER_LETTERS[nth]} ${first.getUTCFullYear()}`;
}

function read(day: string) {
  const moment = new Date(dayStartMs(day));
  return { month: MONTHS[moment.getUTCMonth()], date: moment.getUTCDate(), year: moment.getUTCFullYear() };
}

function ordinal(date: number): string {
  if (date >= 11 && date <= 13) return "th";
  return (["th", "st", "nd", "rd"] as const)[date % 10] ?? "th";
}
