import {
  type AppParts,
  FORMATS,
  type PublisherParts,
  type Reply,
  type StatTable,
  VIEWS,
  type listApps,
} from "@millrace/contract";
import { type DayRange, addDays, daysIn, ecpmMicros, fillRate, previousRange } from "@millrace/units";
import * as fc from "fast-check";
import { expect } from "vitest";
import type { App } from "../index.ts";
import type { appsServer } from "./apps-server.ts";
import { type By, type Counted, type RawRows, countByHand } from "./count-by-hand.ts";

export const PROVIDERS = ["aurora", "borealis", "cirrus"];
export const COUNTRIES = ["US", "DE", "BR", "XX"];

const someOf = <T>(items: readonly T[]) => fc.oneof(fc.constant<T[]>([]), fc.subarray([...items]));

/** Arbitrary dates around the days with rows, of one of these lengths, arbitrary filters, and one of three apps. */
export const questions = (firstDay: string, days: number, lengths: readonly { min: number; max: number }[]) =>
  fc
    .record({
      from: fc.integer({ min: -2, max: days }),
      length: fc.oneof(...lengths.map((length) => fc.integer(length))),
      providers: someOf(PROVIDERS),
      formats: someOf(FORMATS),
      countries: someOf(COUNTRIES),
      view: fc.constantFrom(...VIEWS),
      app: fc.integer({ min: 0, max: 2 }),
    })
    .map(({ from, length, ...rest }) => {
      const ds = addDays(firstDay, from);
      return { ...rest, ds, de: addDays(ds, length - 1) };
    });
export type Question = ReturnType<typeof questions> extends fc.Arbitrary<infer Q> ? Q : never;

/** A query and its reference. */
export interface World {
  at: Awaited<ReturnType<typeof appsServer>>;
  account: number;
  /** The three apps of the account. */
  apps: readonly App[];
  rows: RawRows;
}

const of = (name: string, values: readonly string[]) => values.map((value): [string, string] => [name, value]);
export const addressOf = ({ ds, de, providers, formats, countries }: Question) =>
  new URLSearchParams([
    ["ds", ds],
    ["de", de],
    ...of("provider", providers),
    ...of("format", formats),
    ...of("country", countries),
  ]).toString();

const COUNTS = ["requests", "impressions", "clicks", "sessions", "uniques", "revenue"] as const;
const counts = (of: Counted): Counted =>
  Object.fromEntries(COUNTS.map((name) => [name, of[name]])) as unknown as Counted;

/** The number of devices is exact up to this count, and within 2% above. */
const EXACT_DEVICES = 10_000;
const devicesAgree = (said: number, byHand: number) =>
  byHand <= EXACT_DEVICES ? said === byHand : Math.abs(said - byHand) / byHand < 0.02;

/** Every number except that of devices must be exact. */
function expectSame(said: Counted | undefined, byHand: Counted): void {
  if (!said) throw new Error("there is no such row");
  const devices = devicesAgree(said.uniques, byHand.uniques) ? byHand.uniques : said.uniques;
  expect({ ...counts(said), uniques: devices }).toEqual(byHand);
}

/** A table has no row for a group that only invalid rows fell into. */
function expectSameTable({ stats }: StatTable, byHand: ReadonlyMap<string, Counted>): void {
  expect(stats.map(({ id }) => id).toSorted()).toEqual([...byHand.keys()].toSorted());
  for (const row of stats) expectSame(row, byHand.get(row.id) as Counted);
}

const nothingOf = (asked: Question): Counted => ({
  requests: 0,
  impressions: 0,
  clicks: 0,
  sessions: asked.providers.length > 0 || asked.formats.length > 0 ? null : 0,
  uniques: 0,
  revenue: 0,
});

function byHandOf({ rows }: World, asked: Question, appIds: readonly number[]) {
  const groups = (by: By, range: DayRange = asked) => countByHand(rows, { ...asked, ...range, appIds }, by);
  return { groups, all: (range: DayRange = asked) => groups("all", range).get("all") ?? nothingOf(asked) };
}

function appOf({ apps }: World, asked: Question): App {
  const app = apps[asked.app];
  if (!app) throw new Error("there are three apps");
  return app;
}

/** Checks summary, table and chart of one app; returns its number of devices. */
export async function appPageAgrees(world: World, asked: Question): Promise<number> {
  const { at, account } = world;
  const app = appOf(world, asked);
  const parts = `func=totals&func=stats&func=graph_data&view=${asked.view}`;
  const page = await at.get(account, `/apps/${app.uuid}/stats.json?${addressOf(asked)}&${parts}`);
  const { totals, stats, graph_data: graph } = page.body as AppParts;
  const { groups, all } = byHandOf(world, asked, [app.id]);
  const byHand = all();
  for (const said of [totals, stats.total]) {
    expectSame(said, byHand);
    expect(said.fillrate).toBe(fillRate(byHand.impressions, byHand.requests));
    expect(said.ecpm).toBe(ecpmMicros(byHand.revenue, byHand.impressions));
  }
  expect(counts(stats.total)).toEqual(counts(totals));
  expectSameTable(stats, groups(asked.view));

  const last = all(previousRange(asked));
  expectSame(
    {
      requests: totals.last_requests,
      impressions: totals.last_impressions,
      clicks: totals.last_clicks,
      sessions: totals.last_sessions,
      uniques: totals.last_uniques,
      revenue: totals.last_revenue,
    },
    last,
  );

  const { step, dates, series } = graph;
  expect(step).toBe(daysIn(asked) <= 2 ? "hour" : "day");
  expect((series.last_revenue ?? []).reduce<number>((sum, one) => sum + (one ?? 0), 0)).toBe(last.revenue);
  const points = groups(step === "hour" ? "hour" : "date");
  for (const [nth, date] of dates[0].entries()) {
    const said = Object.fromEntries(COUNTS.map((metric) => [metric, series[metric]?.[nth] ?? null]));
    expectSame(said as unknown as Counted, points.get(date) ?? nothingOf(asked));
  }
  return byHand.uniques;
}

/** Checks each app of the list, and the totals. */
export async function appListAgrees(world: World, asked: Question): Promise<void> {
  const { at, account, apps } = world;
  const list = await at.get(account, `/apps.json?${addressOf(asked)}`);
  const { apps: listed, totals } = list.body as Reply<typeof listApps>;
  const { groups, all } = byHandOf(
    world,
    asked,
    apps.map(({ id }) => id),
  );
  expectSame(totals, all());
  const byApp = groups("app");
  for (const { id } of apps) {
    const row = listed.find(({ app_id: listedId }) => listedId === id);
    const byHand = byApp.get(String(id)) ?? nothingOf(asked);
    expectSame(row, byHand);
    expect(row?.fillrate).toBe(fillRate(byHand.impressions, byHand.requests));
    expect(row?.ecpm).toBe(ecpmMicros(byHand.revenue, byHand.impressions));
  }
}

/** Checks summary and table of all apps together. */
export async function publisherPageAgrees(world: World, asked: Question): Promise<void> {
  const { at, account, apps } = world;
  const parts = `func=totals&func=stats&view=${asked.view}`;
  const page = await at.get(account, `/apps/performance/stats?${addressOf(asked)}&${parts}`);
  const { totals, stats } = page.body as PublisherParts;
  const { groups, all } = byHandOf(
    world,
    asked,
    apps.map(({ id }) => id),
  );
  const byHand = all();
  for (const said of [totals, stats.total]) expectSame(said, byHand);
  expectSameTable(stats, groups(asked.view));
}
