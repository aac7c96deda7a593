import { type DayRange, HOUR_MS, addDays, dayOf, divideRounded } from "@millrace/units";
import type { PartnerHour } from "../../statistics/index.ts";
import type { Sale } from "../booked-sales.ts";
import type { Counted } from "./causes.ts";
import { keyOf } from "./cells.ts";

/** What our events say of a UTC day and of the partner's day of the same date. */
export interface CountedDay {
  utcDay: Counted;
  ownDay: Counted;
}

/** The days whose hours can be in the days of a range in any time zone. */
export const hoursAround = ({ ds, de }: DayRange): DayRange => ({ ds: addDays(ds, -1), de: addDays(de, 1) });

/** The date of each hour's start in a time zone; an hour that two days share counts for the day in which it begins. */
export function dateIn(timeZone: string): (hour: string) => string {
  const format = new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" });
  const known = new Map<string, string>();
  return (hour) => {
    const date = known.get(hour) ?? format.format(Date.parse(hour));
    known.set(hour, date);
    return date;
  };
}

/** The first day of which nothing can be stated yet, as it is not over in a partner's time zone or in UTC, and the zone in which it is not. */
export function openDayIn(timeZone: string, now: number): { day: string; zone: string } {
  const utcDay = dayOf(now);
  const own = dateIn(timeZone)(new Date(now - (now % HOUR_MS)).toISOString());
  return own < utcDay ? { day: own, zone: timeZone } : { day: utcDay, zone: "UTC" };
}

/**
 * Sums a partner's hours by UTC day and by the partner's own day, with what they were sold for: each hour has the part of its day's price
 * that it has of its revenue, since a share is the same all day long. With a share of nothing there is no revenue to divide by: each impression
 * has the same part.
 */
export function countedDays(
  hours: readonly PartnerHour[],
  sales: readonly Pick<Sale, "day" | "appId" | "grossMicros">[],
  timeZone: string,
): (day: string, appId: number) => CountedDay {
  const none = (): Counted => ({ impressions: 0n, grossMicros: 0n });
  const [revenues, shown, grosses] = [new Map<string, bigint>(), new Map<string, bigint>(), new Map<string, bigint>()];
  const add = (sums: Map<string, bigint>, key: string, micros: bigint) => sums.set(key, (sums.get(key) ?? 0n) + micros);
  const utcDayOf = (hour: string) => hour.slice(0, 10);
  for (const { id, appId, impressions, revenueMicros } of hours) {
    add(revenues, keyOf(utcDayOf(id), appId), revenueMicros);
    add(shown, keyOf(utcDayOf(id), appId), BigInt(impressions));
  }
  for (const { day, appId, grossMicros } of sales) add(grosses, keyOf(day, appId), grossMicros);

  const [utc, own] = [new Map<string, Counted>(), new Map<string, Counted>()];
  const count = (sums: Map<string, Counted>, key: string, { impressions, grossMicros }: Counted) => {
    const sum = sums.get(key) ?? none();
    sums.set(key, { impressions: sum.impressions + impressions, grossMicros: sum.grossMicros + grossMicros });
  };
  const dateOf = dateIn(timeZone);
  const soFar = new Map<string, bigint>();
  for (const { id, appId, impressions, revenueMicros } of hours) {
    const key = keyOf(utcDayOf(id), appId);
    const [gross, before] = [grosses.get(key) ?? 0n, soFar.get(key) ?? 0n];
    const hasRevenue = (revenues.get(key) ?? 0n) !== 0n;
    const [all, ofHour] = hasRevenue
      ? [revenues.get(key) ?? 0n, revenueMicros]
      : [shown.get(key) ?? 0n, BigInt(impressions)];
    // Rounded sums up to each hour, so that the hours of a day add up to its price.
    const part = (upTo: bigint): bigint => (all === 0n ? 0n : divideRounded(upTo * gross, all));
    const grossMicros = part(before + ofHour) - part(before);
    soFar.set(key, before + ofHour);
    const counted = { impressions: BigInt(impressions), grossMicros };
    count(utc, key, counted);
    count(own, keyOf(dateOf(id), appId), counted);
  }
  return (day, appId) => ({
    utcDay: utc.get(keyOf(day, appId)) ?? none(),
    ownDay: own.get(keyOf(day, appId)) ?? none(),
  });
}
