import type { CampaignFormat } from "@millrace/contract";
import * as fc from "fast-check";
import { HOUR_MS, dayOf } from "@millrace/units";
import { expect, test } from "vitest";
import { testClickHouse } from "../../../platform/testing/stores.ts";
import { askStore } from "../ask-store.ts";
import { type AuctionRow, atSeconds, type ConversionRow, type EventRow } from "../rows.ts";
import { auction, click, impression, keep } from "../testing/some-rows.ts";
import { advertiserStatistics } from "./advertiser-statistics.ts";

const NOW = "2026-03-12T10:20:30Z";
const clickhouse = await testClickHouse();
const clock = { now: () => Date.parse(NOW) };
const statistics = advertiserStatistics({ ask: askStore({ read: clickhouse.read, clock }), clock, rawDays: 30 });

const of = { campaign_id: 7, creative_id: 71, format: "interstitial" } as const;
const other = { campaign_id: 8, creative_id: 81, format: "banner", country: "DE" } as const;
const auctions = (time: string, row: Partial<AuctionRow>, many = 1) =>
  Array.from({ length: many }, () => auction(time, row));
const shown = (time: string, row: Partial<EventRow>, micros: number) =>
  impression(time, { ...row, provider: "campaigns", cost_micros: micros, revenue_micros: micros / 2 });

const conversion = (time: string, id: string, row: Partial<ConversionRow> = {}): ConversionRow => ({
  at: atSeconds(Date.parse(time)),
  event_id: id,
  arm: "",
  app_id: 1,
  country: "US",
  platform: "android",
  event: "install",
  kind: "click",
  is_goal: 1,
  ad_at: atSeconds(Date.parse(time) - 60_000),
  demo: 0,
  ...of,
  ...row,
});

await keep(clickhouse, {
  conversions: [
    conversion("2026-03-12T09:20:00Z", "a"),
    // Sent again after a crash.
    conversion("2026-03-12T09:20:00Z", "a"),
    conversion("2026-03-12T10:20:00Z", "b", other),
    conversion("2026-03-12T09:25:00Z", "c", { kind: "view" }),
    conversion("2026-03-12T09:26:00Z", "d", { event: "purchase", is_goal: 0 }),
    conversion("2026-03-11T09:20:00Z", "e"),
    conversion("2026-03-11T10:20:01Z", "f"),
    conversion("2026-03-11T11:20:01Z", "g"),
  ],
  auctions: [
    // Today, yesterday before and after the same time of day, and no campaign's.
    ...auctions("2026-03-12T09:10:00Z", of, 4),
    ...auctions("2026-03-11T10:19:59Z", of, 2),
    ...auctions("2026-03-11T10:20:00Z", of, 8),
    ...auctions("2026-03-12T10:10:00Z", other),
    // Returned behind a partner's ad and another campaign's.
    ...auctions("2026-03-12T10:10:00Z", {
      country: "DE",
      campaign_ids: [9, 8],
      creative_ids: [91, 81],
      arms: ["", "even"],
    }),
    ...auctions("2026-03-12T10:10:00Z", { campaign_id: 9 }),
    ...auctions("2026-03-12T10:10:00Z", {}),
  ],
  events: [
    shown("2026-03-12T09:11:00Z", of, 2000),
    shown("2026-03-12T09:12:00Z", of, 3000),
    click("2026-03-12T09:12:01Z", of),
    // Not counted, and after the compared time.
    shown("2026-03-12T09:13:00Z", { ...of, invalid: "replayed" }, 0),
    shown("2026-03-11T09:11:00Z", of, 4000),
    shown("2026-03-11T10:19:58Z", of, 1000),
    shown("2026-03-11T10:20:30Z", of, 8000),
    shown("2026-03-12T10:11:00Z", other, 500),
  ],
});

const scope = {
  campaignIds: [7, 8],
  campaignFormats: ["image", "banner"] as CampaignFormat[],
  range: { ds: "2026-03-12", de: "2026-03-12" },
  countries: [],
};
const today = (some: Partial<typeof scope> = {}) =>
  statistics.of({ scope: { ...scope, ...some }, compare: "previous", metrics: [] });

test("totals are the campaigns' own, against the same time of the day before", async () => {
  expect(await today().totals()).toEqual({
    requests: 6,
    impressions: 3,
    clicks: 1,
    fillrate: 50,
    ctr: 100 / 3,
    conversions: 2,
    view_conversions: 1,
    cvr: 200,
    cpa: 2750,
    ecpm: 1_833_333,
    costs: 5500,
    last_requests: 2,
    last_impressions: 2,
    last_clicks: 0,
    last_fillrate: 100,
    last_ctr: 0,
    last_conversions: 1,
    last_view_conversions: 0,
    last_cvr: null,
    last_cpa: 5000,
    last_ecpm: 2_500_000,
    last_costs: 5000,
    compared_until: "2026-03-11T10:20:00.000Z",
  });
});

test("a filter leaves its campaigns and countries alone", async () => {
  const costs = async (some: Partial<typeof scope>) => (await today(some).totals()).costs;
  expect(await costs({ campaignIds: [8] })).toBe(500);
  expect(await costs({ countries: ["US"] as never[] })).toBe(5000);
  expect(await costs({ campaignIds: [] })).toBe(0);
});

test("the graph has hours with the costs of the whole day before, and the running hour's pace", async () => {
  const { series, dates, pace, complete_until } = await today().graph();
  expect(Object.keys(series)).toEqual([
    "costs",
    "last_costs",
    "requests",
    "impressions",
    "clicks",
    "fillrate",
    "ctr",
    "ecpm",
    "conversions",
    "view_conversions",
    "cvr",
    "cpa",
  ]);
  expect([series.conversions?.slice(8, 12), series.cpa?.slice(8, 12)]).toEqual([
    [0, 1, 1, 0],
    [null, 5000, 500, null],
  ]);
  expect([series.costs?.slice(8, 12), series.last_costs?.slice(8, 12)]).toEqual([
    [0, 5000, 500, 0],
    [0, 4000, 9000, 0],
  ]);
  expect([dates[0][9], complete_until]).toEqual(["2026-03-12T09:00:00Z", "2026-03-12T09:00:00Z"]);
  expect(pace).toMatchObject({ at: "2026-03-12T10:00:00Z", values: { costs: 8500, requests: 10, impressions: 2 } });
});

test("rows of every view add up to the total, in both periods", async () => {
  for (const view of ["date", "campaign", "country", "format", "creative"] as const) {
    const { rows, total } = await today().rows(view);
    const sum = (of: (row: (typeof rows)[number]) => number | null) =>
      rows.reduce((before, row) => before + (of(row) ?? 0), 0);
    expect([view, sum((row) => row.conversions), sum((row) => row.costs), sum((row) => row.last_costs)]).toEqual([
      view,
      total.conversions,
      total.costs,
      total.last_costs,
    ]);
  }
  const { rows } = await today().rows("creative");
  expect(rows.map(({ id, impressions, costs }) => [id, impressions, costs])).toEqual([
    ["71", 2, 5000],
    ["81", 1, 500],
  ]);
});

test("the campaigns and countries that cost the most come first", async () => {
  expect(await today().costsBy("campaign")).toEqual([
    { id: "7", costs: 5000, last_costs: 5000 },
    { id: "8", costs: 500, last_costs: 0 },
  ]);
  expect(await today().topCountries()).toEqual([
    { country: "US", name: "United States", value: 5000, last_value: 5000 },
    { country: "DE", name: "Germany", value: 500, last_value: 0 },
  ]);
});

test("the list's figures are those of each campaign that has any, of these days", async () => {
  const figures = await statistics.figures([7, 8, 10], { ds: "2026-03-11", de: "2026-03-12" });
  expect([...figures]).toEqual([
    [7, { impressions: 5, clicks: 1, conversions: 4, costs: 18_000 }],
    [8, { impressions: 1, clicks: 0, conversions: 1, costs: 500 }],
  ]);
  expect(await statistics.seen([7, 8])).toEqual({ firstDay: "2026-03-11", countries: ["DE", "US"] });
  expect(await statistics.seen([10])).toEqual({ firstDay: null, countries: [] });
});

test("figures of any days are those of a count by hand", async () => {
  const start = Date.parse("2026-02-01T00:00:00Z");
  const rows = fc.sample(
    fc.record({ hour: fc.integer({ min: 0, max: 239 }), campaign: fc.constantFrom(20, 21), micros: fc.nat(5000) }),
    { numRuns: 200, seed: 4 },
  );
  const timeOf = (hour: number) => new Date(start + hour * HOUR_MS + 60_000).toISOString();
  await keep(clickhouse, {
    events: rows.map(({ hour, campaign, micros }) => shown(timeOf(hour), { campaign_id: campaign }, micros * 2)),
  });
  await fc.assert(
    fc.asyncProperty(fc.nat(9), fc.nat(9), async (a, b) => {
      const day = (nth: number) => dayOf(start + nth * 24 * HOUR_MS);
      const range = { ds: day(Math.min(a, b)), de: day(Math.max(a, b)) };
      const counted = rows.filter(({ hour, campaign }) => {
        const at = dayOf(start + hour * HOUR_MS);
        return campaign === 20 && at >= range.ds && at <= range.de;
      });
      const figures = (await statistics.figures([20], range)).get(20) ?? {
        impressions: 0,
        clicks: 0,
        conversions: 0,
        costs: 0,
      };
      expect(figures).toEqual({
        impressions: counted.length,
        clicks: 0,
        conversions: 0,
        costs: counted.reduce((sum, { micros }) => sum + micros * 2, 0),
      });
    }),
    { numRuns: 12 },
  );
});

test("a table has the rows of which only the compared time has conversions or costs, so that its rows add up to its total", async () => {
  const before = "2026-02-12T09:00:00Z";
  const ids = [21, 22, 23];
  await keep(clickhouse, {
    conversions: [
      conversion(before, "h", { campaign_id: 21, creative_id: 0 }),
      conversion(before, "i", { campaign_id: 22, creative_id: 0, kind: "view" }),
    ],
    // Its cost was booked without the impression that it is of.
    events: [click(before, { ...of, campaign_id: 23, provider: "campaigns", cost_micros: 700 })],
  });
  const range = { ds: "2026-02-13", de: "2026-02-13" };
  const asked = statistics.of({ scope: { ...scope, campaignIds: ids, range }, compare: "previous", metrics: [] });
  const { rows, total } = await asked.rows("campaign");
  const sum = (metric: "last_conversions" | "last_view_conversions" | "last_costs") =>
    rows.reduce((all, row) => all + (row[metric] ?? 0), 0);
  expect(rows.map(({ id }) => id).toSorted()).toEqual(["21", "22", "23"]);
  expect([sum("last_conversions"), sum("last_view_conversions"), sum("last_costs")]).toEqual([
    total.last_conversions,
    total.last_view_conversions,
    total.last_costs,
  ]);
});
