import type { StatementMapping } from "@millrace/contract";
import { divideRounded } from "@millrace/units";

/** How a bidder of the lab counts and pays, where it does not do so as we do. */
interface Habit {
  /** The time zone of its days; UTC if absent. */
  timeZone?: string;
  currency?: "EUR";
  /** The part of our impressions that it counts, and the part of our price that it pays for them. */
  counts?: number;
  pays?: number;
  /** Its statements lack the last days of a month. */
  lateDays?: number;
}

const HABITS = new Map<string, Habit>([
  ["lab-performance", { counts: 0.985 }],
  ["lab-premium-video", { timeZone: "America/Los_Angeles" }],
  ["lab-brand", { currency: "EUR" }],
  ["lab-native", { pays: 0.9995 }],
  ["lab-steady", { counts: 0.998 }],
  ["lab-moody", { lateDays: 2 }],
]);
export const habitOf = (partner: string): Habit => HABITS.get(partner) ?? {};

/** Gives the date of a moment in the time zone in which a partner counts its days. */
export function ownDays(partner: string): (ms: number) => string {
  const { timeZone = "UTC" } = habitOf(partner);
  const format = new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" });
  return (ms) => format.format(ms);
}

/** Dollars for a euro when the ads were shown, and when they were settled. */
const RATES = { shown: "1.09", settled: "1.0842" } as const;
const SHOWN_UNITS = 109n;

/** What an app has shown of a partner's ads in an hour. */
export interface DemoHour {
  /** The hour's start: `2026-11-19T05:00:00Z`. */
  id: string;
  appId: number;
  impressions: number;
  grossMicros: bigint;
}

export interface WrittenStatement {
  mapping: StatementMapping;
  rate: string | null;
  shown_rate: string | null;
  content: string;
}

/**
 * A partner's statement of the days from `ds` to `de`, as it counts and pays. `restated` is the part of impressions and
 * revenue that it still reports from a given day on. Null if it has nothing to report.
 */
export function writeStatement(
  partner: string,
  hours: readonly DemoHour[],
  bundles: ReadonlyMap<number, string>,
  { ds, de, restated }: { ds: string; de: string; restated?: { from: string; part: number } },
): WrittenStatement | null {
  const { timeZone = "UTC", currency, counts = 1, pays = 1 } = habitOf(partner);
  const dayOf = ownDays(partner);
  const days = new Map<string, { day: string; appId: number; impressions: number; grossMicros: bigint }>();
  for (const { id, appId, impressions, grossMicros } of hours) {
    const day = dayOf(Date.parse(id));
    if (day < ds || day > de || !bundles.has(appId)) continue;
    const sum = days.get(`${day} ${appId}`) ?? { day, appId, impressions: 0, grossMicros: 0n };
    days.set(`${day} ${appId}`, {
      ...sum,
      impressions: sum.impressions + impressions,
      grossMicros: sum.grossMicros + grossMicros,
    });
  }
  if (days.size === 0) return null;
  const rows = [...days.values()]
    .toSorted((one, other) => (one.day < other.day ? -1 : one.day > other.day ? 1 : one.appId - other.appId))
    .map(({ day, appId, impressions, grossMicros }) => {
      const part = counts * (restated && day >= restated.from ? restated.part : 1);
      const counted = Math.round(impressions * part);
      const micros = BigInt(
        Math.round(Number(divideRounded(grossMicros * BigInt(counted), BigInt(impressions))) * pays),
      );
      return [
        day,
        bundles.get(appId),
        counted,
        currency === undefined ? decimal(micros) : decimal(divideRounded(micros * 100n, SHOWN_UNITS)),
      ];
    });
  return {
    mapping: {
      date: "Date",
      place: "Bundle",
      impressions: "Impressions",
      revenue: "Revenue",
      place_kind: "bundle",
      date_format: "2026-10-31",
      decimal: ".",
      time_zone: timeZone,
      currency: currency ?? "USD",
    },
    rate: currency === undefined ? null : RATES.settled,
    shown_rate: currency === undefined ? null : RATES.shown,
    content: [["Date", "Bundle", "Impressions", "Revenue"], ...rows].map((cells) => `${cells.join(",")}\n`).join(""),
  };
}

function decimal(micros: bigint): string {
  const digits = String(micros).padStart(7, "0");
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`;
}
