import { expect, test } from "vitest";
import { runStat } from "../../platform/clickhouse/define-stat.ts";
import { testClickHouse } from "../../platform/testing/stores.ts";
import { campaignTraffic, LEAST_PRICE_MICROS } from "./campaign-traffic.stat.ts";
import type { AuctionRow } from "./rows.ts";
import { auction, keep } from "./testing/some-rows.ts";

const clickhouse = await testClickHouse();
const ask = () => runStat(clickhouse.read, campaignTraffic, { de: "2026-03-10" });

/** By its first index, what is not 0. */
const filled = (counts: number[]) =>
  Object.fromEntries(counts.flatMap((count, at) => (count > 0 ? [[at, count]] : [])));

const sold = (time: string, row: Partial<AuctionRow> = {}) =>
  auction(time, { campaign_platform: "android", country: "DE", asked: [], outcomes: [], bids_micros: [], ...row });

test("without requests nothing is known", async () => {
  expect(await ask()).toEqual([]);
});

test("requests of the last seven days and of today are counted by hour and by the price to beat", async () => {
  const price = (steps: number) => Math.ceil(LEAST_PRICE_MICROS * 2 ** (steps / 8));
  const unsold = { winner: "", price_micros: 0 };
  await keep(clickhouse, {
    auctions: [
      sold("2026-03-02T23:59:59.999Z"),
      sold("2026-03-03T00:00:00Z", { ...unsold, floor_micros: price(8) }),
      sold("2026-03-09T23:10:00Z", { ...unsold, asked: ["aurora"], outcomes: ["bid"], bids_micros: [price(9)] }),
      sold("2026-03-09T23:20:00Z", { price_micros: price(40), floor_micros: 5 }),
      // A campaign's own bids and price are nothing that it has to beat.
      sold("2026-03-10T05:00:00Z", {
        winner: "campaigns",
        campaign_id: 7,
        price_micros: price(50),
        asked: ["campaign-7", "aurora", "campaigns"],
        outcomes: ["bid", "bid", "bid"],
        bids_micros: [price(50), price(30), price(45)],
      }),
      // An ad that nobody pays for has to be beaten all the same.
      sold("2026-03-10T05:30:00Z", {
        winner: "line-items",
        campaign_id: 9,
        price_micros: 0,
        expected_micros: price(60),
      }),
      sold("2026-03-10T06:00:00Z", { ...unsold }),
      sold("2026-03-10T06:30:00Z", { price_micros: 1e12 }),
      sold("2026-03-11T00:00:00Z"),
      sold("2026-03-09T01:00:00Z", { campaign_platform: "" }),
      sold("2026-03-09T01:00:00Z", { format: "audio" }),
      sold("2026-03-09T03:00:00Z", { format: "interstitial", media: ["video", "banner"], country: "FR", ...unsold }),
      sold("2026-03-09T02:00:00Z", { format: "interstitial", demo: 1, campaign_platform: "ipad", country: "FR" }),
    ],
  });
  const rows = await ask();
  expect(
    rows.map((row) => ({ ...row, before: filled(row.before), sofar: filled(row.sofar), prices: filled(row.prices) })),
  ).toEqual([
    {
      format: "banner",
      media: ["banner"],
      country: "DE",
      platform: "android",
      demo: 0,
      days: 2,
      before: { 0: 1, 23: 2 },
      sofar: { 5: 2, 6: 2 },
      prices: { 0: 1, 8: 1, 9: 1, 30: 1, 40: 1, 60: 1, 111: 1 },
    },
    {
      format: "interstitial",
      media: ["banner"],
      country: "FR",
      platform: "ipad",
      demo: 1,
      days: 1,
      before: { 2: 1 },
      sofar: {},
      prices: { 40: 1 },
    },
    {
      format: "interstitial",
      media: ["banner", "video"],
      country: "FR",
      platform: "android",
      demo: 0,
      days: 1,
      before: { 3: 1 },
      sofar: {},
      prices: { 0: 1 },
    },
  ]);
});
