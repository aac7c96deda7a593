import type { FrequencyCap } from "@millrace/contract";
import { expect, test } from "vitest";
import { testClickHouse } from "../../../platform/testing/stores.ts";
import { askStore } from "../ask-store.ts";
import type { AuctionRow } from "../rows.ts";
import { ANY_CAMPAIGN } from "../testing/any-campaign.ts";
import { auction, impression, keep } from "../testing/some-rows.ts";
import { type ReachQuestion, reachOf } from "./reach.ts";

const NOW = Date.parse("2026-03-20T09:00:00Z");
const clickhouse = await testClickHouse();
const ask = askStore({ read: clickhouse.read, clock: { now: () => NOW } });

const FIT: ReachQuestion["fit"] = { ...ANY_CAMPAIGN, isIn: 1, countries: ["US"], sizes: ["320x50"] };
const reach = (fit: Partial<ReachQuestion["fit"]> = {}, some: Partial<ReachQuestion> = {}) =>
  reachOf(ask, NOW, {
    fit: { ...FIT, ...fit },
    bidMicros: 1_000_000,
    dailyMicros: 250_000_000,
    caps: [],
    ...some,
  });
const cap = (per: FrequencyCap["per"], period: FrequencyCap["period"], impressions: number): FrequencyCap => ({
  per,
  period,
  impressions,
});

const offer = (time: string, row: Partial<AuctionRow>) =>
  auction(time, { campaign_platform: "android", sizes: ["320x50"], floor_micros: 100_000, ...row });

/** Two days: 400 auctions of 100 devices, four of each within an hour, and 200 of the same devices, two of each. */
await keep(clickhouse, {
  auctions: [
    ...Array.from({ length: 400 }, (_, nth) =>
      // Half are won at $0.50, a quarter at $1.20, and a quarter at $1.90.
      offer(`2026-03-18T10:${String(nth % 60).padStart(2, "0")}:00Z`, {
        device: String(nth % 100),
        price_micros: [500_000, 500_000, 1_200_000, 1_900_000][Math.floor(nth / 100)] ?? 0,
      }),
    ),
    ...Array.from({ length: 200 }, (_, nth) =>
      offer("2026-03-19T23:00:00Z", { device: String(nth % 100), winner: "", price_micros: 0 }),
    ),
    // Of today, of another country, and of another market.
    offer("2026-03-20T08:00:00Z", {}),
    offer("2026-03-19T08:00:00Z", { country: "DE" }),
    offer("2026-03-19T08:00:00Z", { demo: 1 }),
  ],
  // Each ad of these days was shown.
  events: Array.from({ length: 401 }, () => impression("2026-03-18T10:30:00Z")),
});

test("a bid reaches the auctions whose floor it meets and whose price it exceeds, from the quietest to the busiest day", async () => {
  expect(await reach()).toMatchObject({
    days: 2,
    auctions: 601,
    matching: 600,
    enough: true,
    one_in: 1,
    held_by: null,
  });
  const { reached } = await reach();
  expect(reached).toEqual([
    {
      bid: 1_000_000,
      impressions: { low: 200, high: 200 },
      devices: { low: 100, high: 100 },
      costs: { low: 200_000, high: 200_000 },
    },
    expect.objectContaining({ bid: 1_500_000, impressions: { low: 200, high: 300 } }),
    expect.objectContaining({
      bid: 2_000_000,
      impressions: { low: 200, high: 400 },
      costs: { low: 400_000, high: 800_000 },
    }),
  ]);
  const bidding = async (bidMicros: number) => (await reach({}, { bidMicros })).reached[0]?.impressions;
  expect(await bidding(500_000)).toEqual({ low: 0, high: 200 });
  expect(await bidding(500_001)).toEqual({ low: 200, high: 200 });
  expect(await bidding(90_000)).toEqual({ low: 0, high: 0 });
});

test("a campaign that won an auction reaches it with the same bid again", async () => {
  const won = { campaign_id: 7, winner: "campaigns", price_micros: 700_000, country: "AT" };
  await keep(clickhouse, { auctions: [offer("2026-03-18T09:00:00Z", won)] });
  const bidding = async (bidMicros: number) =>
    (await reach({ countries: ["AT"] }, { bidMicros })).reached[0]?.impressions.high;
  expect([await bidding(699_999), await bidding(700_000)]).toEqual([0, 1]);
});

test("an ad that nobody pays for is exceeded like a price, unless it only fills what nobody bought", async () => {
  const unpaid = { campaign_id: 9, winner: "inhouse", price_micros: 0, expected_micros: 800_000 };
  await keep(clickhouse, {
    auctions: [
      offer("2026-03-18T09:00:00Z", { ...unpaid, country: "CH" }),
      offer("2026-03-18T09:00:00Z", { ...unpaid, country: "CH", expected_micros: 0 }),
    ],
  });
  const bidding = async (bidMicros: number) =>
    (await reach({ countries: ["CH"] }, { bidMicros })).reached[0]?.impressions.high;
  expect([await bidding(100_000), await bidding(800_000), await bidding(800_001)]).toEqual([1, 1, 2]);
});

test("targeting leaves what fits it, and days on which it does not run are no days of it", async () => {
  expect(await reach({ days: [3] })).toMatchObject({ days: 1, matching: 400, enough: false });
  expect(await reach({ toMinute: 22 * 60 })).toMatchObject({ days: 2, matching: 400 });
  expect((await reach({ toMinute: 22 * 60 })).reached[0]?.impressions).toEqual({ low: 0, high: 200 });
  expect(await reach({ countries: ["FR"] })).toMatchObject({ matching: 0, enough: false, days: 2 });
  expect(await reach({ sizes: ["728x90"] })).toMatchObject({ matching: 0 });
});

test("where a campaign names regions of a country, it reaches only auctions in them, and none without a region", async () => {
  const inSpain = { country: "ES", price_micros: 500_000 };
  await keep(clickhouse, {
    auctions: [
      ...Array.from({ length: 3 }, () => offer("2026-03-18T09:00:00Z", { ...inSpain, region: "ES-CT" })),
      offer("2026-03-18T09:00:00Z", { ...inSpain, region: "ES-MD" }),
      ...Array.from({ length: 7 }, () => offer("2026-03-18T09:00:00Z", inSpain)),
    ],
  });
  const parts = { countries: ["ES"], regions: ["ES-CT"], countriesInPart: ["ES"] };
  expect(await reach(parts)).toMatchObject({ matching: 3 });
  // Where one is left out, those that might be in it are, too.
  const { matching: others } = await reach({ isIn: 0, countries: ["ES"] });
  expect(await reach({ ...parts, isIn: 0 })).toMatchObject({ matching: others + 1 });
});

test("caps and the daily budget hold it back, and which of them does is told", async () => {
  const held = async (caps: FrequencyCap[], dailyMicros = 250_000_000) => {
    const { reached, held_by } = await reach({}, { caps, dailyMicros, bidMicros: 2_000_000 });
    return [reached[0]?.impressions, held_by];
  };
  expect(await held([cap("user", "day", 1)])).toEqual([{ low: 100, high: 100 }, null]);
  expect(await held([cap("user", "hour", 3)])).toEqual([{ low: 200, high: 300 }, null]);
  expect(await held([cap("all", "day", 150)])).toEqual([{ low: 150, high: 150 }, "caps"]);
  expect(await held([cap("all", "hour", 10)])).toEqual([{ low: 200, high: 240 }, "caps"]);
  expect(await held([], 500_000)).toEqual([{ low: 200, high: 250 }, "budget"]);
  // Two digits would be 260, which this budget does not pay for.
  expect(await held([], 514_000)).toEqual([{ low: 200, high: 257 }, "budget"]);
});

test("of many auctions, those of some devices stand for all", async () => {
  const asked = { fit: FIT, bidMicros: 2_000_000, dailyMicros: 250_000_000, caps: [cap("user", "day", 3)] };
  const { one_in, reached, matching } = await reachOf(ask, NOW, asked, 61);
  // 10 of 100 devices.
  expect([one_in, matching]).toEqual([10, 600]);
  expect(reached[0]).toMatchObject({ impressions: { low: 200, high: 300 }, devices: { low: 100, high: 100 } });
});

test("ads that are not shown are no impressions", async () => {
  await keep(clickhouse, {
    auctions: Array.from({ length: 10 }, () => offer("2026-03-19T10:00:00Z", { format: "interstitial", device: "5" })),
    events: Array.from({ length: 5 }, () => impression("2026-03-19T10:00:00Z", { format: "interstitial" })),
  });
  const { reached } = await reach({ formats: ["interstitial"], sizes: [] }, { bidMicros: 3_000_000 });
  expect(reached[0]).toMatchObject({ impressions: { high: 5 }, devices: { high: 1 } });
});

test("a market without auctions is known to be too small", async () => {
  expect(await reach({ formats: ["video"], media: ["video"] })).toMatchObject({
    days: 0,
    auctions: 0,
    matching: 0,
    enough: false,
  });
});
