import { expect, test } from "vitest";
import { runStat } from "../../platform/clickhouse/define-stat.ts";
import { testClickHouse } from "../../platform/testing/stores.ts";
import { highestBids } from "./highest-bids.stat.ts";
import type { AuctionRow, EventRow } from "./rows.ts";
import { auction, impression, keep } from "./testing/some-rows.ts";

const clickhouse = await testClickHouse();
const DAY = "2026-03-20";
const EDGES = [1_000_000, 2_000_000, 4_000_000];

/** Requests of an app, each with an impression that was sold at this CPM and earned 70% of it. */
async function keepShown(count: number, row: Partial<AuctionRow>, price: number, shown: Partial<EventRow>) {
  const auctions = Array.from({ length: count }, () => auction(`${DAY}T10:00:00Z`, row));
  const gross = Math.round(price / 1000);
  const events = auctions.map(({ app_id, auction_id }) =>
    impression(`${DAY}T10:00:03Z`, {
      app_id,
      auction_id,
      gross_micros: gross,
      revenue_micros: Math.round(gross * 0.7),
      ...shown,
    }),
  );
  await keep(clickhouse, { auctions, events });
}

/** What a floor loses of an app's impressions. */
async function lostBy(appId: number, floor: number) {
  const rows = await runStat(clickhouse.read, highestBids, { appId, de: DAY, edges: EDGES, floor });
  return {
    impressions: rows.reduce((sum, { impressionsBelow }) => sum + impressionsBelow, 0),
    revenue: rows.reduce((sum, { revenueBelowMicros }) => sum + Number(revenueBelowMicros), 0),
  };
}

test("a bid behind an adapter that had no ad is lost by a floor above it", async () => {
  const row = { app_id: 81, winner: "line-items", price_micros: 0, expected_micros: 5_000_000 };
  await keepShown(480, row, 2_000_000, {});
  expect(await lostBy(81, 3_000_000)).toEqual({ impressions: 480, revenue: 480 * 1400 });
  expect(await lostBy(81, 2_000_000)).toEqual({ impressions: 0, revenue: 0 });
  const rows = await runStat(clickhouse.read, highestBids, { appId: 81, de: DAY, edges: EDGES, floor: 0 });
  const shown = rows.filter(({ impressions }) => impressions > 0);
  expect(shown.map(({ bucket, impressions }) => [bucket, impressions])).toEqual([[2_000_000, 480]]);
});

test("an ad that is shown after a higher bid has the price of its own bid, to the micro-dollar", async () => {
  const prices = { winner: "aurora", price_micros: 4_000_000, bids_micros: [4_000_000, 2_345_678] };
  const row: Partial<AuctionRow> = { app_id: 82, outcomes: ["bid", "bid"], ...prices };
  await keepShown(10, row, 2_345_678, { provider: "borealis" });
  expect((await lostBy(82, 3_000_000)).impressions).toBe(10);
  expect((await lostBy(82, 2_345_678)).impressions).toBe(0);
  expect((await lostBy(82, 2_345_679)).impressions).toBe(10);
});

test("a lower bid of the winner itself that is shown has what it was sold for", async () => {
  await keepShown(10, { app_id: 83, winner: "aurora", price_micros: 4_000_000 }, 1_000_000, { provider: "aurora" });
  expect((await lostBy(83, 3_000_000)).impressions).toBe(10);
});
