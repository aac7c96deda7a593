import {
  type AppParts,
  FORMATS,
  type PublisherParts,
  type Reply,
  type StatTable,
  VIEWS,
  type View,
  type listApps,
} from "@millrace/contract";
import { DAY_MS, addDays, dayOf, daysIn, ecpmMicros, fillRate, previousRange } from "@millrace/units";
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testStores } from "../../platform/testing/stores.ts";
import { auction, click, impression, keep, ping, session } from "../statistics/testing/some-rows.ts";
import { type App, createApp } from "./index.ts";
import { appsServer, newAccount } from "./testing/apps-server.ts";
import { type Asked, type Counted, type RawRows, countByHand } from "./testing/count-by-hand.ts";

const FIRST_DAY = "2024-02-26";
// More than a span of devices_by_span (128 days), so that ranges begin, end and lie within several.
const DAYS = 300;
const PROVIDERS = ["aurora", "borealis", "cirrus"];
const COUNTRIES = ["US", "DE", "BR", "XX"];
const ZONES = ["main", "end", "shop"];

const stores = await testStores();
const at = await appsServer(stores);
afterAll(at.stop);

let account: number;
let apps: App[];
let rows: RawRows;

/** A small generator with a seed, so that a failing case can be run again. */
function dice(seed: number) {
  let state = seed;
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  const one = <T>(items: readonly T[]): T => items[below(items.length)] as T;
  return { below, one };
}

function someRows(appIds: number[]): RawRows {
  const { below, one } = dice(7);
  const made: RawRows = { auctions: [], events: [] };
  for (let index = 0; index < 9000; index++) {
    const moment = new Date(Date.parse(`${FIRST_DAY}T00:00:00Z`) + below(DAYS * DAY_MS)).toISOString();
    const who = { app_id: one(appIds), country: one(COUNTRIES), device: String(below(900) + 1) };
    const place = { zone: one(ZONES), format: one(FORMATS) };
    const invalid = below(20) === 0 ? "data_centre" : "";
    const asked = PROVIDERS.filter(() => below(3) > 0);
    switch (below(6)) {
      case 0:
        made.events.push(session(moment, { ...who, invalid }));
        break;
      case 1:
        made.events.push(ping(moment, below(60), who));
        break;
      case 2:
        made.events.push(click(moment, { ...who, ...place, provider: one(PROVIDERS), invalid }));
        break;
      case 3:
        made.events.push(
          impression(moment, { ...who, ...place, provider: one(PROVIDERS), invalid, revenue_micros: below(20_000) }),
        );
        break;
      default:
        made.auctions.push(
          auction(moment, { ...who, ...place, asked, no_ad: asked.length > 0 ? "" : "no_partner_ready" }),
        );
    }
  }
  return made;
}

beforeAll(async () => {
  account = await newAccount(stores, "Owner");
  const foreign = await newAccount(stores, "Other");
  const make = (owner: number, name: string) =>
    createApp(stores.pg.pool, owner, { name, bundleId: `com.example.${name}`, platform: "android" });
  apps = [await make(account, "tide"), await make(account, "chess"), await make(account, "idle")];
  const others = await make(foreign, "foreign");
  rows = someRows([apps[0]?.id ?? 0, apps[1]?.id ?? 0, others.id]);
  // Several batches, so that numbers are gathered from several parts of each table.
  for (let part = 0; part < 4; part++) {
    const ofPart = <T>(all: T[]) => all.filter((_, index) => index % 4 === part);
    await keep(stores.clickhouse, { auctions: ofPart(rows.auctions), events: ofPart(rows.events) });
  }
});

const someOf = <T>(items: readonly T[]) => fc.oneof(fc.constant<T[]>([]), fc.subarray([...items]));
const question = fc
  .record({
    from: fc.integer({ min: -2, max: DAYS }),
    length: fc.oneof(
      fc.integer({ min: 1, max: 6 }),
      fc.integer({ min: 7, max: 40 }),
      fc.integer({ min: 100, max: 290 }),
    ),
    providers: someOf(PROVIDERS),
    formats: someOf(FORMATS),
    countries: someOf(COUNTRIES),
    view: fc.constantFrom(...VIEWS),
    app: fc.integer({ min: 0, max: 2 }),
  })
  .map(({ from, length, ...rest }) => {
    const ds = addDays(FIRST_DAY, from);
    return { ...rest, ds, de: addDays(ds, length - 1) };
  });
type Question = typeof question extends fc.Arbitrary<infer Q> ? Q : never;

const addressOf = ({ ds, de, providers, formats, countries }: Question) =>
  new URLSearchParams([
    ["ds", ds],
    ["de", de],
    ...of("provider", providers),
    ...of("format", formats),
    ...of("country", countries),
  ]).toString();
const of = (name: string, values: readonly string[]) => values.map((value): [string, string] => [name, value]);

const nothing = (sessions: number | null): Counted => ({
  requests: 0,
  impressions: 0,
  clicks: 0,
  sessions,
  uniques: 0,
  revenue: 0,
});
const counts = ({ requests, impressions, clicks, sessions, uniques, revenue }: Counted): Counted => ({
  requests,
  impressions,
  clicks,
  sessions,
  uniques,
  revenue,
});
const sum = (values: (number | null)[] | undefined) =>
  (values ?? []).reduce<number>((total, value) => total + (value ?? 0), 0);

async function check(asked: Question): Promise<void> {
  const app = apps[asked.app];
  if (!app) throw new Error("there are three apps");
  const address = addressOf(asked);
  const [page, list, publisher] = await Promise.all([
    at.get(
      account,
      `/apps/${app.uuid}/stats.json?${address}&func=totals&func=stats&func=graph_data&view=${asked.view}`,
    ),
    at.get(account, `/apps.json?${address}`),
    at.get(account, `/apps/performance/stats?${address}&func=totals&func=stats&view=${asked.view}`),
  ]);
  const { totals, stats, graph_data: graph } = page.body as AppParts;
  const { apps: listed, totals: together } = list.body as Reply<typeof listApps>;

  const scope: Asked = { ...asked, appIds: [app.id] };
  const noSessions = asked.providers.length > 0 || asked.formats.length > 0 ? null : 0;
  const byHand = countByHand(rows, scope, "all").get("all") ?? nothing(noSessions);

  expect(counts(totals)).toEqual(byHand);
  expect(counts(stats.total)).toEqual(byHand);
  const row = listed.find(({ app_id: id }) => id === app.id);
  expect(row && counts(row)).toEqual(byHand);
  expect(totals.fillrate).toBe(fillRate(byHand.impressions, byHand.requests));
  expect([totals.ecpm, stats.total.ecpm, row?.ecpm]).toEqual(
    Array(3).fill(ecpmMicros(byHand.revenue, byHand.impressions)),
  );

  const all = { ...scope, appIds: apps.map(({ id }) => id) };
  const allByHand = countByHand(rows, all, "all").get("all") ?? nothing(noSessions);
  const ofAll = publisher.body as PublisherParts;
  expect([together, ofAll.totals, ofAll.stats.total].map(counts)).toEqual(Array(3).fill(allByHand));
  expect(rowsOf(ofAll.stats)).toEqual(tableByHand(all, asked.view));

  const before = previousRange({ ds: asked.ds, de: asked.de });
  const last = countByHand(rows, { ...scope, ...before }, "all").get("all") ?? nothing(noSessions);
  expect([totals.last_requests, totals.last_revenue, totals.last_uniques, totals.last_sessions]).toEqual([
    last.requests,
    last.revenue,
    last.uniques,
    last.sessions,
  ]);

  const { series } = graph;
  expect([
    sum(series.requests),
    sum(series.impressions),
    sum(series.clicks),
    sum(series.revenue),
    sum(series.last_revenue),
  ]).toEqual([byHand.requests, byHand.impressions, byHand.clicks, byHand.revenue, last.revenue]);
  const points = countByHand(rows, scope, graph.step === "hour" ? "hour" : "date");
  expect(graph.step).toBe(daysIn(asked) <= 2 ? "hour" : "day");
  expect(series.uniques).toEqual(graph.dates[0].map((date) => points.get(date)?.uniques ?? 0));
  expect(series.sessions).toEqual(
    graph.dates[0].map((date) => (noSessions === null ? null : (points.get(date)?.sessions ?? 0))),
  );

  expect(rowsOf(stats)).toEqual(tableByHand(scope, asked.view));
  if (asked.view !== "provider") {
    const column = (name: "requests" | "impressions" | "clicks" | "revenue") =>
      sum(stats.stats.map((one) => one[name]));
    expect([column("requests"), column("impressions"), column("clicks"), column("revenue")]).toEqual([
      stats.total.requests,
      stats.total.impressions,
      stats.total.clicks,
      stats.total.revenue,
    ]);
  }
}

const rowsOf = ({ stats }: StatTable) => Object.fromEntries(stats.map((one) => [one.id, counts(one)]));

/** A table has no row for a group that only invalid rows fell into. */
function tableByHand(scope: Asked, view: View): Record<string, Counted> {
  return Object.fromEntries(countByHand(rows, scope, view));
}

test(
  "table, summary, chart and app list say what the raw events say, for any dates and filters",
  { timeout: 240_000 },
  async () => {
    await fc.assert(fc.asyncProperty(question, check), { numRuns: 200, seed: 20_241_119 });
  },
);

test("the days of the rows are inside the dates that are asked for", () => {
  const days = rows.auctions.map((row) => dayOf(Number(row.at) * 1000)).toSorted();
  expect([days[0], days.at(-1)]).toEqual([FIRST_DAY, addDays(FIRST_DAY, DAYS - 1)]);
});
