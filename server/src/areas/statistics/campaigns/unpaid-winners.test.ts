import { expect, test } from "vitest";
import { testClickHouse } from "../../../platform/testing/stores.ts";
import { askStore } from "../ask-store.ts";
import type { AuctionRow } from "../rows.ts";
import { ANY_CAMPAIGN } from "../testing/any-campaign.ts";
import { auction, impression, keep } from "../testing/some-rows.ts";
import type { FitParams } from "./campaign-fit.ts";
import { reachOf } from "./reach.ts";
import { spendingParts } from "./spending.ts";

const NOW = Date.parse("2026-03-20T09:00:00Z");
const clickhouse = await testClickHouse();
const ask = askStore({ read: clickhouse.read, clock: { now: () => NOW } });

const FIT: FitParams = { ...ANY_CAMPAIGN, isIn: 1, countries: ["US"] };

/** As the exchange records an auction whose first ad is a line item's. */
const lostToLineItem: Partial<AuctionRow> = {
  campaign_platform: "android",
  floor_micros: 100_000,
  asked: [],
  outcomes: [],
  latencies_ms: [],
  bids_micros: [],
  winner: "line-items",
  price_micros: 0,
  campaign_id: 900,
  expected_micros: 10_000_000,
};

await keep(clickhouse, {
  auctions: ["2026-03-18", "2026-03-19"].flatMap((day) =>
    Array.from({ length: 300 }, (_, nth) => auction(`${day}T10:00:00Z`, { ...lostToLineItem, device: String(nth) })),
  ),
  // Each of its ads was shown.
  events: ["2026-03-18", "2026-03-19"].flatMap((day) =>
    Array.from({ length: 300 }, () =>
      impression(`${day}T10:00:01Z`, { provider: "line-items", campaign_id: 900, revenue_micros: 0, cost_micros: 0 }),
    ),
  ),
});

test("a bid of $1 does not reach auctions that a line item wins at an expected $10", async () => {
  const { reached } = await reachOf(ask, NOW, { fit: FIT, bidMicros: 1_000_000, dailyMicros: 250_000_000, caps: [] });
  expect(reached[0]?.impressions).toEqual({ low: 0, high: 0 });
});

test("auctions that a line item won at an expected $10 were lost to a higher price, not for an unknown reason", async () => {
  const parts = await spendingParts(ask, {
    campaignId: 7,
    fit: FIT,
    range: { ds: "2026-03-18", de: "2026-03-19" },
    bidMicros: 1_000_000,
    ownCampaigns: [],
    approvedAt: 0,
  });
  expect(parts.map(({ reason, auctions, needed }) => [reason, auctions, needed])).toEqual([
    ["outbid", 600, 10_000_000],
  ]);
});
