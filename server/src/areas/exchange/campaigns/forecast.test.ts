import { soldMedia } from "@millrace/contract";
import { expect, test } from "vitest";
import type { CampaignTrafficRow } from "../../statistics/index.ts";
import { Forecast, type Market, outlookOf } from "./forecast.ts";

const SIX = Date.parse("2026-03-10T06:30:00Z");
const flat = (count: number) => Array.from({ length: 24 }, () => count);
const prices = (counts: Record<number, number>) => Array.from({ length: 112 }, (_, step) => counts[step] ?? 0);
const row = (more: Partial<CampaignTrafficRow> = {}): CampaignTrafficRow => ({
  format: "banner",
  media: ["banner"],
  country: "DE",
  platform: "android",
  demo: 0,
  days: 7,
  before: flat(70),
  sofar: flat(0),
  prices: prices({ 0: 1 }),
  ...more,
});
const MARKET: Market = {
  demo: false,
  media: ["banner"],
  targeting: { format: "banner", geo: "in", countries: ["DE", "FR"], platforms: ["android", "iphone"] },
};
const sum = (counts: readonly number[]) => Math.round(counts.reduce((all, count) => all + count, 0));

test("a market has the requests of its format, countries, platforms and side", () => {
  const rows = [
    row(),
    row({ country: "FR", platform: "iphone" }),
    row({ country: "IT" }),
    row({ platform: "ipad" }),
    row({ format: "interstitial" }),
    row({ demo: 1 }),
  ];
  const offered = (market: Market) => sum(outlookOf(rows, market, SIX).hourly) / 240;
  const { targeting } = MARKET;
  expect(offered(MARKET)).toBe(2);
  expect(offered({ ...MARKET, targeting: { ...targeting, geo: "not_in" } })).toBe(1);
  expect(offered({ ...MARKET, targeting: { ...targeting, format: "image" } })).toBe(1);
  expect(offered({ ...MARKET, demo: true })).toBe(1);
  expect(offered({ ...MARKET, targeting: { ...targeting, geo: "not_in", countries: [], platforms: ["ipad"] } })).toBe(
    1,
  );
});

test("native places are in the market of a campaign whose images have a headline, and of no other", () => {
  const rows = [row({ format: "interstitial" }), row({ format: "native", media: ["native"] })];
  const offered = (hasHeadline: boolean) => {
    const targeting = { ...MARKET.targeting, format: "image" } as const;
    return sum(outlookOf(rows, { ...MARKET, targeting, media: soldMedia("image", hasHeadline) }, SIX).hourly) / 240;
  };
  expect([offered(false), offered(true)]).toEqual([1, 2]);
});

test("with nothing known, every hour is alike and no price is known", () => {
  expect(outlookOf([], MARKET, SIX)).toEqual({ hourly: flat(1), today: 1, winnable: null });
  expect(outlookOf([row({ country: "IT" })], MARKET, SIX).winnable).toBeNull();
});

test("on the first day, the hours that are over stand for all", () => {
  const sofar = flat(0).map((_, hour) => (hour < 6 ? 100 : hour === 6 ? 50 : 0));
  const { hourly, today } = outlookOf([row({ days: 0, before: flat(0), sofar })], MARKET, SIX);
  expect(hourly.map(Math.round)).toEqual(flat(100));
  expect(today).toBeCloseTo(1);
});

test("a busier or calmer day is expected to go on so, up to twice or half", () => {
  const at = (count: number, atMs = SIX) =>
    outlookOf([row({ before: flat(700), sofar: flat(count) })], MARKET, atMs).today;
  expect(at(100)).toBeCloseTo(1);
  expect(at(150)).toBeCloseTo((900 + 240) / (600 + 240));
  expect(at(1000)).toBe(2);
  expect(at(0)).toBe(0.5);
  // Nothing of the day is over.
  expect(at(1000, Date.parse("2026-03-10T00:59:00Z"))).toBe(1);
});

test("a bid wins the requests whose price to beat is below it", () => {
  const { winnable } = outlookOf([row({ prices: prices({ 0: 1, 8: 2, 111: 1 }) })], MARKET, SIX);
  // Step 8 is one octave above 62,500.
  expect([1, 62_500, 70_000, 125_000, 136_303, 200_000].map((price) => winnable?.(price))).toEqual([
    0,
    0,
    0.25,
    0.25,
    expect.closeTo(0.75, 3),
    0.75,
  ]);
  expect(winnable?.(900_000_000)).toBe(0.75);
});

test("traffic is read once an hour; a failed reading leaves what was known", async () => {
  let rows = [row()];
  let readings = 0;
  let isAway = false;
  const forecast = new Forecast(async () => {
    readings++;
    if (isAway) throw new Error("away");
    return rows;
  });
  expect(forecast.of(MARKET).winnable).toBeNull();
  await forecast.refresh(SIX);
  await forecast.refresh(SIX + 1000);
  expect(readings).toBe(1);
  const known = forecast.of(MARKET);
  expect(sum(known.hourly)).toBe(240);
  expect(forecast.of(MARKET)).toBe(known);
  rows = [row({ before: flat(140) })];
  isAway = true;
  await expect(forecast.refresh(SIX + 3_600_000)).rejects.toThrow("away");
  expect(forecast.of(MARKET)).toBe(known);
  isAway = false;
  await forecast.refresh(SIX + 3_600_000);
  expect(sum(forecast.of(MARKET).hourly)).toBe(480);
});
