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
  const day = Math.floor(atMs / DAY_MS) * DAY_MS;
  const endsAt = targeting.endsAt ?? Infinity;
  const closesAt = Math.min(day + (targeting.toMinute + 1) * MINUTE_MS, endsAt);
  const today = expectedRequests(outlook, targeting, atMs, closesAt - FINISH_MS) * outlook.today;
  let left = dailyMicros - todayMicros;
  if (budgetMicros > 0) {
    const allLeft = budgetMicros - totalMicros;
    const ahead: Day[] = [{ most: left, requests: today }];
    for (let next = day + DAY_MS; next < endsAt && targeting.endsAt !== null; next += DAY_MS)
      ahead.push({ most: dailyMicros, requests: expectedRequests(outlook, targeting, next, next + DAY_MS) });
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
  for (let day = Math.floor(from / DAY_MS) * DAY_MS; day < to; day += DAY_MS) {
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

interface Day {
  /** The most that can be spent on it. */
  most: number;
  requests: number;
}

/** The first day's part of an amount that is spread over days by their requests; what a day may not spend, the others do. */
function partOfFirst(micros: number, days: readonly Day[]): number {
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
