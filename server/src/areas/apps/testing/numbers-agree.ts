import {
  type AppParts,
  type Changes,
  FORMATS,
  type PublisherParts,
  type Reply,
  VIEWS,
  type listApps,
} from "@millrace/contract";
import { DAY_MS, HOUR_MS, addDays, dayStartMs, daysIn, ecpmMicros, fillRate } from "@millrace/units";
import * as fc from "fast-check";
import { expect } from "vitest";
import type { App } from "../index.ts";
import type { appsServer } from "./apps-server.ts";
import { figuresByHand } from "./figures-by-hand.ts";
import {
  COUNTS,
  counts,
  devicesAgree,
  expectLast,
  expectSame,
  expectSameLabels,
  expectSameTable,
  nothingOf,
  sumOf,
} from "./figures-agree.ts";
import type { Counted, RawRows } from "./count-by-hand.ts";

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
      compare: fc.constantFrom("previous" as const, "weekdays" as const),
      /** How much of the last day has passed, where the world has a clock to set. */
      elapsedMs: fc.integer({ min: 0, max: DAY_MS - 1 }),
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
  /** Set to a moment of the question's last day; without it, all days are over. */
  clock?: { nowMs: number };
}

const of = (name: string, values: readonly string[]) => values.map((value): [string, string] => [name, value]);
export const addressOf = ({ ds, de, providers, formats, countries, compare }: Question) =>
  new URLSearchParams([
    ["ds", ds],
    ["de", de],
    ...of("provider", providers),
    ...of("format", formats),
    ...of("country", countries),
    ["compare", compare],
  ]).toString();

/** The compared days, and the moment at which they end. */
function comparedOf({ clock }: World, asked: Question) {
  const days = asked.compare === "previous" ? daysIn(asked) : 7 * Math.ceil(daysIn(asked) / 7);
  const range = { ds: addDays(asked.ds, -days), de: addDays(asked.de, -days) };
  const minute = Math.floor(asked.elapsedMs / 60_000) * 60_000;
  return { ...range, days, untilMs: clock ? dayStartMs(range.de) + minute : null };
}

const byHandOf = (world: World, asked: Question, appIds: readonly number[]) =>
  figuresByHand(world.rows, { ...asked, appIds }, comparedOf(world, asked));
type ByHand = ReturnType<typeof byHandOf>;

function setClock({ clock }: World, { de, elapsedMs }: Question): void {
  if (clock) clock.nowMs = dayStartMs(de) + elapsedMs;
}

function appOf({ apps }: World, asked: Question): App {
  const app = apps[asked.app];
  if (!app) throw new Error("there are three apps");
  return app;
}

/** Checks summary, table, shares and chart of one app; returns its number of devices. */
export async function appPageAgrees(world: World, asked: Question): Promise<number> {
  setClock(world, asked);
  const { at, account } = world;
  const app = appOf(world, asked);
  const shares =
    "func=earnings_by_providers&func=top_formats&func=top_countries_revenue&func=top_countries_sessions&func=top_countries_uniques";
  const parts = `func=totals&func=stats&func=graph_data&func=why_no_ad&func=sdk_versions&view=${asked.view}&${shares}`;
  const page = await at.get(account, `/apps/${app.uuid}/stats.json?${addressOf(asked)}&${parts}`);
  const body = page.body as AppParts;
  const { totals, stats } = body;
  const hand = byHandOf(world, asked, [app.id]);
  const byHand = hand.all();
  const last = hand.last();
  for (const said of [totals, stats.total]) {
    expectSame(said, byHand);
    expect(said.fillrate).toBe(fillRate(byHand.impressions, byHand.requests));
    expect(said.ecpm).toBe(ecpmMicros(byHand.revenue, byHand.impressions));
    expectLast(said, last);
  }
  expect([totals.compared_until, stats.compared_until]).toEqual([hand.until, hand.until]);
  expect(devicesAgree(totals.last_uniques ?? -1, last.uniques)).toBe(true);
  expect(counts(stats.total)).toEqual(counts(totals));
  expectSameTable(stats, asked, { now: hand.groups(asked.view), last: hand.lastGroups(asked.view) });
  expectSameShares(body, hand);
  expectSameGraph(world, asked, body, hand);
  return byHand.uniques;
}

/** Each share has the figure of its key in the compared period. */
function expectSameShares(said: AppParts, hand: ByHand): void {
  const last = { provider: hand.lastGroups("provider"), format: hand.lastGroups("format") };
  for (const { provider, last_revenue: revenue } of said.earnings_by_providers)
    expect(revenue).toBe(last.provider.get(provider)?.revenue ?? 0);
  for (const { format, last_revenue: revenue } of said.top_formats)
    expect(revenue).toBe(last.format.get(format)?.revenue ?? 0);
  const countries = hand.lastGroups("country");
  for (const { country, last_value: value } of said.top_countries_revenue)
    expect(value).toBe(countries.get(country)?.revenue ?? 0);
  for (const { country, last_value: value } of said.top_countries_sessions)
    expect(value).toBe(countries.get(country)?.sessions ?? 0);
  const nowCountries = hand.groups("country");
  for (const { country, value, last_value: last } of said.top_countries_uniques) {
    expect(devicesAgree(value, nowCountries.get(country)?.uniques ?? 0)).toBe(true);
    expect(devicesAgree(last ?? -1, countries.get(country)?.uniques ?? 0)).toBe(true);
  }
  const reasons = said.why_no_ad.map((row) => ({
    ...row,
    id: row.reason,
    count: row.requests,
    was: row.last_requests,
  }));
  expectSameLabels(reasons, hand.labels("noAd"));
  const versions = said.sdk_versions.map((row) => ({
    ...row,
    id: row.version,
    count: row.sessions,
    was: row.last_sessions,
  }));
  expectSameLabels(versions, hand.labels("sdk"));
}

function expectSameGraph({ clock }: World, asked: Question, { graph_data: graph }: AppParts, hand: ByHand): void {
  const { step, dates, series } = graph;
  expect(step).toBe(daysIn(asked) <= 2 ? "hour" : "day");
  const by = step === "hour" ? "hour" : "date";
  const whole = hand.lastWhole(by);
  expect(series.last_revenue).toEqual(dates[1].map((date) => whole.get(date)?.revenue ?? 0));
  const points = hand.groups(by);
  const sofar = (nth: number) => Object.fromEntries(COUNTS.map((metric) => [metric, series[metric]?.[nth] ?? null]));
  for (const [nth, date] of dates[0].entries())
    expectSame(sofar(nth) as unknown as Counted, points.get(date) ?? nothingOf(asked));

  const lengthMs = step === "hour" ? HOUR_MS : DAY_MS;
  const nowMs = clock?.nowMs ?? Date.now();
  const finished = dates[0].filter((date) => Date.parse(date) + lengthMs <= nowMs);
  expect(graph.complete_until).toBe(finished.at(-1) ?? null);
  expect(graph.compared_until).toBe(hand.until);
  const then = whole.get(dates[1][finished.length] ?? "");
  if (!clock || !then || then.requests === 0) {
    expect(graph.pace).toBeNull();
    return;
  }
  expect(graph.pace?.at).toBe(dates[0][finished.length]);
  const first = hand.lastSince(dates[1][finished.length] ?? "");
  const now = sofar(finished.length) as unknown as Counted;
  for (const metric of ["requests", "impressions", "clicks", "revenue"] as const)
    expect(graph.pace?.values[metric]).toBe(now[metric] + then[metric] - (first?.[metric] ?? 0));
  expect(graph.pace?.values.uniques).toBeNull();
}

/** Checks each app of the list, and the totals. */
export async function appListAgrees(world: World, asked: Question): Promise<void> {
  setClock(world, asked);
  const { at, account, apps } = world;
  const list = await at.get(account, `/apps.json?${addressOf(asked)}`);
  const { apps: listed, totals, compared_until: until } = list.body as Reply<typeof listApps>;
  const hand = byHandOf(
    world,
    asked,
    apps.map(({ id }) => id),
  );
  expectSame(totals, hand.all());
  expectLast(totals, hand.last());
  expect(devicesAgree(totals.last_uniques ?? -1, hand.last().uniques)).toBe(true);
  expect([until, totals.compared_until]).toEqual([hand.until, hand.until]);
  const [byApp, lastByApp] = [hand.groups("app"), hand.lastGroups("app")];
  for (const { id } of apps) {
    const row = listed.find(({ app_id: listedId }) => listedId === id);
    const byHand = byApp.get(String(id)) ?? nothingOf(asked);
    expectSame(row, byHand);
    expectLast(row, lastByApp.get(String(id)) ?? nothingOf(asked));
    expect(row?.fillrate).toBe(fillRate(byHand.impressions, byHand.requests));
    expect(row?.ecpm).toBe(ecpmMicros(byHand.revenue, byHand.impressions));
  }
}

/** Checks summary and table of all apps together, and what changed. */
export async function publisherPageAgrees(world: World, asked: Question): Promise<void> {
  setClock(world, asked);
  const { at, account, apps } = world;
  const parts = `func=totals&func=stats&func=top_apps&view=${asked.view}`;
  const page = await at.get(account, `/apps/performance/stats?${addressOf(asked)}&${parts}`);
  const { totals, stats, top_apps: top } = page.body as PublisherParts;
  const hand = byHandOf(
    world,
    asked,
    apps.map(({ id }) => id),
  );
  const byHand = hand.all();
  for (const said of [totals, stats.total]) {
    expectSame(said, byHand);
    expectLast(said, hand.last());
  }
  expectSameTable(stats, asked, { now: hand.groups(asked.view), last: hand.lastGroups(asked.view) });
  const lastByApp = hand.lastGroups("app");
  for (const { app_id: id, last_revenue: revenue } of top)
    expect(revenue).toBe(lastByApp.get(String(id))?.revenue ?? 0);
  await changesAgree(world, asked, hand);
}

/** The parts and the movers add up to the difference, and each mover is its group's difference. */
async function changesAgree({ at, account }: World, asked: Question, hand: ByHand): Promise<void> {
  const { body } = await at.get(account, `/apps/performance/changes.json?${addressOf(asked)}`);
  const changes = body as Changes;
  const [before, after] = [hand.last(), hand.all()];
  for (const [said, counted] of [
    [changes.before, before],
    [changes.after, after],
  ] as const) {
    const { requests, impressions, revenue } = counted;
    expect(said).toEqual({
      requests,
      impressions,
      revenue,
      fillrate: fillRate(impressions, requests),
      ecpm: ecpmMicros(revenue, impressions),
    });
  }
  expect(changes.difference).toBe(after.revenue - before.revenue);
  expect(changes.compared_until).toBe(hand.until);
  const [lastGroups, groups] = [hand.lastGroups(changes.by), hand.groups(changes.by)];
  expect(changes.movers.length).toBeLessThanOrEqual(5);
  for (const mover of changes.movers) {
    const [was, is] = [lastGroups.get(mover.id)?.revenue ?? 0, groups.get(mover.id)?.revenue ?? 0];
    expect([mover.before.revenue, mover.after.revenue, mover.difference]).toEqual([was, is, is - was]);
  }
  for (const { difference, factors } of [changes, ...changes.movers])
    expect(factors.requests + factors.fillrate + factors.ecpm).toBe(difference);
  expect(sumOf(changes.movers.map(({ difference }) => difference)) + changes.rest).toBe(changes.difference);
  const inOrder = changes.movers.map(({ difference }) => Math.abs(difference));
  expect(inOrder).toEqual(inOrder.toSorted((a, b) => b - a));
}
