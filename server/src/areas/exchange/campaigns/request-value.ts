import { DAY_MS, HOUR_MS, MINUTE_MS } from "@millrace/units";
import type { Outlook } from "./forecast.ts";

/** When a campaign runs. Times are UTC, in epoch milliseconds. */
interface Schedule {
  startsAt: number;
  endsAt: number | null;
  /** Days of the week as in ISO 8601: Monday is 1. */
  days: readonly number[];
  /** Minutes of the day, from the start of the first to the end of the last. */
  fromMinute: number;
  toMinute: number;
}

/** What a campaign may spend, and when. Amounts are micro-dollars. */
export interface Budgeted {
  /** Of a UTC day. */
  dailyMicros: number;
  /** In all; 0 for no limit. */
  budgetMicros: number;
  targeting: Schedule;
}

export interface Spent {
  todayMicros: number;
  totalMicros: number;
}

/** The plan ends this long before the campaign's hours do, because the last ads take a while to be shown. */
const FINISH_MS = 5 * MINUTE_MS;
const WEEK_MS = 7 * DAY_MS;

/**
 * What a campaign should spend for each request that is still to come today, so that it spends all that it may: its daily
 * budget, or less if its total budget has to last for days. Infinite in the last minutes of its hours; 0 if nothing is left.
 */
export function requestValue(
  { dailyMicros, budgetMicros, targeting }: Budgeted,
  outlook: Outlook,
  { todayMicros, totalMicros }: Spent,
  atMs: number,
): number {
  const day = dayStart(atMs);
  const endsAt = targeting.endsAt ?? Infinity;
  const closesAt = Math.min(day + (targeting.toMinute + 1) * MINUTE_MS, endsAt);
  const today = expectedRequests(outlook, targeting, atMs, closesAt - FINISH_MS) * outlook.today;
  let left = dailyMicros - todayMicros;
  if (budgetMicros > 0) {
    const allLeft = budgetMicros - totalMicros;
    const ahead: Days[] = [{ most: left, requests: today }];
    if (targeting.endsAt !== null)
      ahead.push(...daysBetween(day + DAY_MS, targeting.endsAt, { dailyMicros, targeting, outlook }));
    left = Math.min(left, allLeft, today > 0 ? partOfFirst(allLeft, ahead) : Infinity);
  }
  if (left <= 0) return 0;
  return today > 0 ? left / today : Infinity;
}

/** Requests that are expected within a campaign's own days and hours. */
export function expectedRequests({ hourly }: Outlook, schedule: Schedule, fromMs: number, toMs: number): number {
  const from = Math.max(fromMs, schedule.startsAt);
  const to = Math.min(toMs, schedule.endsAt ?? Infinity);
  let requests = 0;
  for (let day = dayStart(from); day < to; day += DAY_MS) {
    if (!schedule.days.includes(new Date(day).getUTCDay() || 7)) continue;
    const opens = Math.max(from, day + schedule.fromMinute * MINUTE_MS);
    const closes = Math.min(to, day + (schedule.toMinute + 1) * MINUTE_MS);
    for (let hour = Math.floor(opens / HOUR_MS) * HOUR_MS; hour < closes; hour += HOUR_MS) {
      const openMs = Math.min(closes, hour + HOUR_MS) - Math.max(opens, hour);
      requests += ((hourly[(hour - day) / HOUR_MS] ?? 0) * openMs) / HOUR_MS;
    }
  }
  return requests;
}

/** A day, or several that are alike. */
interface Days {
  /** The most that can be spent on them. */
  most: number;
  requests: number;
}

/** A campaign's days from the start of one to its end. Those of a weekday are one entry, so that a far end costs no more than a near one. */
function daysBetween(
  firstDay: number,
  endsAt: number,
  { dailyMicros, targeting, outlook }: Pick<Budgeted, "dailyMicros" | "targeting"> & { outlook: Outlook },
): Days[] {
  const daysOf = (day: number, count: number): Days => ({
    most: count * dailyMicros,
    requests: count * expectedRequests(outlook, targeting, day, day + DAY_MS),
  });
  const [startDay, endDay] = [dayStart(targeting.startsAt), dayStart(endsAt)];
  // The first and the last day may be parts of days.
  const days = [...new Set([startDay, endDay])].filter((day) => day >= firstDay).map((day) => daysOf(day, 1));
  const firstWhole = Math.max(firstDay, startDay + DAY_MS);
  for (let day = firstWhole; day < Math.min(endDay, firstWhole + WEEK_MS); day += DAY_MS)
    days.push(daysOf(day, Math.ceil((endDay - day) / WEEK_MS)));
  return days;
}

const dayStart = (ms: number): number => Math.floor(ms / DAY_MS) * DAY_MS;

/** The first day's part of an amount that is spread over days by their requests; what a day may not spend, the others do. */
function partOfFirst(micros: number, days: readonly Days[]): number {
  const [first] = days;
  let open = days;
  let left = micros;
  for (;;) {
    const value = left / open.reduce((sum, { requests }) => sum + requests, 0);
    const full = open.filter(({ most, requests }) => most <= value * requests);
    if (first === undefined || full.includes(first)) return first?.most ?? 0;
    if (full.length === 0) return value * first.requests;
    left -= full.reduce((sum, { most }) => sum + most, 0);
    open = open.filter((day) => !full.includes(day));
  }
}
