import { SDK_VERSION } from "@millrace/contract";
import type { DemoApp, Rhythm } from "./demo-app.ts";
import { findCountry } from "./countries.ts";

/**
 * How many devices use an app, when, and how long they keep it. The generated history and the live traffic both follow these
 * rules. Days are relative to the end of history: day 0 is the day on which it ends.
 */

/** How many days of history the demo has before its live traffic. */
export const HISTORY_DAYS = 90;
/** The apps grow fourfold over the history and keep their size afterwards. */
const GROWTH_PER_DAY = Math.log(4) / HISTORY_DAYS;
/** The oldest device age in the model. */
export const OLDEST_DAYS = 150;

/** The size of the apps on a day relative to the end of history; 1 after it. */
export const growth = (day: number): number => Math.exp(GROWTH_PER_DAY * Math.min(0, day));

/** The share of a day's new devices that open the app `age` days later: 40% the next day, 16% after a week, 8% after a month. */
export const retention = (age: number): number => (age === 0 ? 1 : 0.4 * age ** -0.47);

/** The active devices of a day by age in days; index 0 is the new devices. */
export function activesByAge(app: DemoApp, day: number): number[] {
  const ages = Array.from({ length: OLDEST_DAYS + 1 }, (_, age) => age);
  const atTheEnd = ages.reduce((sum, age) => sum + growth(-age) * retention(age), 0);
  return ages.map((age) => (app.dailyActives / atTheEnd) * growth(day - age) * retention(age));
}

/** The quantiles of the devices' ages in days: `quantiles[floor(random * length)]` draws an age. */
export function ageQuantiles(actives: readonly number[], steps: number): number[] {
  const total = actives.reduce((sum, count) => sum + count, 0);
  const quantiles: number[] = [];
  let age = 0;
  let below = actives[0] ?? 0;
  for (let step = 0; step < steps; step++) {
    while (below < ((step + 0.5) / steps) * total) below += actives[++age] ?? total;
    quantiles.push(age);
  }
  return quantiles;
}

/** Relative use by local hour, 0 to 23. */
const HOURS = {
  game: [6, 4, 2, 1, 1, 2, 5, 9, 10, 9, 9, 10, 13, 12, 11, 11, 12, 14, 17, 20, 23, 24, 19, 11],
  tool: [2, 1, 1, 1, 2, 6, 14, 22, 20, 14, 11, 11, 12, 10, 10, 10, 11, 14, 14, 12, 11, 11, 9, 5],
  radio: [3, 2, 1, 1, 2, 6, 15, 22, 21, 17, 15, 14, 13, 13, 13, 14, 17, 19, 16, 12, 10, 9, 8, 5],
  television: [7, 3, 1, 1, 1, 1, 2, 4, 5, 5, 5, 6, 8, 8, 8, 9, 11, 14, 19, 26, 31, 31, 24, 14],
} as const satisfies Record<Rhythm, readonly number[]>;

/** Relative use by weekday, Sunday first. */
const WEEKDAYS = {
  game: [1.17, 0.93, 0.91, 0.92, 0.95, 1.0, 1.15],
  tool: [0.88, 1.07, 1.06, 1.05, 1.04, 1.02, 0.88],
  radio: [0.8, 1.07, 1.08, 1.08, 1.08, 1.06, 0.84],
  television: [1.26, 0.89, 0.87, 0.88, 0.92, 1.03, 1.15],
} as const satisfies Record<Rhythm, readonly number[]>;

/** The use of an app in a country at a moment relative to its mean, by local hour and weekday. */
export function busyness(rhythm: Rhythm, country: string, atMs: number): number {
  const local = new Date(atMs + (findCountry(country)?.utcOffsetHours ?? 0) * 3_600_000);
  const hours = HOURS[rhythm];
  const mean = hours.reduce((sum, weight) => sum + weight, 0) / 24;
  const from = hours[local.getUTCHours()] ?? mean;
  const to = hours[(local.getUTCHours() + 1) % 24] ?? mean;
  const use = from + (to - from) * (local.getUTCMinutes() / 60);
  return (use / mean) * (WEEKDAYS[rhythm][local.getUTCDay()] ?? 1);
}

/** The expected number of sessions that start in an hour in a country. */
export function sessionsPerHour(
  app: DemoApp,
  country: { country: string; share: number },
  day: number,
  atMs: number,
): number {
  const perDay = app.dailyActives * growth(day) * app.sessionsPerActive * country.share;
  return (perDay / 24) * busyness(app.rhythm, country.country, atMs);
}

/** The SDK's releases, oldest first, by publication day. The last one is the version that the platform serves. */
export const SDK_RELEASES = [
  { version: "0.8.4", day: -OLDEST_DAYS - 400 },
  { version: "0.9.0", day: -96 },
  { version: "0.9.3", day: -51 },
  { version: SDK_VERSION, day: -17 },
] as const;
/** The mean number of days until a device updates to a release. */
export const UPDATE_DAYS = 16;

/** The share of devices without an advertising id. */
export const UNTRACKED_SHARE = {
  android: 0.14,
  ios: 0.52,
  amazon: 0.2,
  androidtv: 0.18,
  tvos: 0.45,
  firetv: 0.22,
  tizentv: 0.25,
  roku: 0.24,
  others: 0.5,
} as const;

/** The share of served ads that are shown, and the share of shown ads that are clicked. */
export const OUTCOMES = {
  banner: { shown: 0.985, clicked: 0.0062 },
  interstitial: { shown: 0.94, clicked: 0.046 },
  video: { shown: 0.955, clicked: 0.0135 },
  rewarded: { shown: 0.91, clicked: 0.031 },
  native: { shown: 0.97, clicked: 0.0118 },
  audio: { shown: 0.975, clicked: 0.0034 },
} as const;
