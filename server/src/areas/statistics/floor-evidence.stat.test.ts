import { randomUUID } from "node:crypto";
import { liftOf, NO_EVIDENCE } from "@millrace/learning";
import { expect, test } from "vitest";
import { testClickHouse } from "../../platform/testing/stores.ts";
import { floorStatistics } from "./floor-evidence.stat.ts";
import type { AuctionRow, EventRow } from "./rows.ts";
import { auction, impression, keep } from "./testing/some-rows.ts";

const clickhouse = await testClickHouse();
const floors = floorStatistics(clickhouse.read);
const HOUR_MS = 3_600_000;
const NOW = Date.UTC(2026, 2, 20, 12, 30);
const now = NOW / 1000;
const hoursAgo = (hours: number) => new Date(NOW - hours * HOUR_MS).toISOString();
const inMicros = (price: number) => price * 1_000_000;
/** What is shown and sold at a CPM, in dollars; by a line item, at what it is expected to pay. */
const sold = (price: number) => ({ gross_micros: price * 1000 });
const byLineItem = (price: number) => ({
  provider: "line-items",
  gross_micros: 0,
  revenue_micros: 0,
  cost_micros: 0,
  expected_micros: inMicros(price),
});

/** A request of an app with its impression, if it has one, two seconds later. */
function request(hours: number, row: Partial<AuctionRow>, shown: Partial<EventRow> | null) {
  const asked = auction(hoursAgo(hours), row);
  const { app_id, auction_id } = asked;
  const at = new Date(NOW - hours * HOUR_MS + 2000).toISOString();
  return { auctions: [asked], events: shown ? [impression(at, { app_id, auction_id, ...shown })] : [] };
}

const keepAll = (requests: readonly ReturnType<typeof request>[]) =>
  keep(clickhouse, {
    auctions: requests.flatMap(({ auctions }) => auctions),
    events: requests.flatMap(({ events }) => events),
  });

/** Of an arm, how many requests it had, and what they earned. */
async function earnedBy(appId: number) {
  const rows = await floors.evidence({ appIds: [appId], now, halfLifeHours: 168 });
  const of = (arm: string) =>
    rows
      .filter((row) => row.arm === arm)
      .reduce(
        (sum, row) => ({
          count: sum.count + row.requests,
          sum: sum.sum + row.total,
          squares: sum.squares + row.totalSquares,
        }),
        NO_EVIDENCE,
      );
  return { held: of("held"), learned: of("learned") };
}

test("a cell's low price is that of its impressions, line items' too, whatever stood first and was not shown", async () => {
  const first = { app_id: 71, winner: "line-items", price_micros: 0, expected_micros: inMicros(5) };
  const bid = { app_id: 71, price_micros: inMicros(8) };
  await keepAll([
    ...Array.from({ length: 600 }, () => request(5, first, byLineItem(5))),
    ...Array.from({ length: 400 }, () => request(5, bid, sold(8))),
    // Neither shown nor counted, and too old.
    ...Array.from({ length: 300 }, () => request(5, { ...bid, price_micros: inMicros(1) }, null)),
    ...Array.from({ length: 300 }, () => request(5, bid, { ...sold(1), invalid: "crawler" })),
    ...Array.from({ length: 300 }, () => request(8 * 24, bid, sold(1))),
    ...Array.from({ length: 3 }, () => request(5, { ...bid, country: "FR" }, null)),
  ]);
  const cell = { appId: 71, format: "banner", platform: "android" };
  expect(await floors.cells({ appIds: [71], now, atLeast: 3 })).toEqual([
    { ...cell, country: "US", requests: 1600, lowPriceMicros: inMicros(5) },
    { ...cell, country: "FR", requests: 3, lowPriceMicros: 0 },
  ]);
});

test("a request earned what its counted impressions were sold for, in each of the last days, and the last hour is left out", async () => {
  const held = { app_id: 72, floor_arm: "held", floor_probability: 0.05 } as const;
  await keepAll([
    request(2, held, sold(4)),
    request(26, held, byLineItem(3)),
    request(27 * 24, held, sold(2)),
    request(3, held, null),
    request(3, held, { ...sold(9), invalid: "crawler" }),
    // The first ad was not shown, and the next was.
    request(1.01, { ...held, winner: "aurora", price_micros: inMicros(9) }, { ...sold(1), provider: "borealis" }),
    request(0.5, held, sold(100)),
    request(28.1 * 24, held, sold(100)),
    request(2, { app_id: 72 }, sold(100)),
  ]);
  expect((await earnedBy(72)).held).toEqual({ count: 6, sum: inMicros(10), squares: 1e12 * (16 + 9 + 4 + 1) });
});

test("of two imps of one zone and auction, each earned what was shown in it; what does not tell its imp is matched by its zone", async () => {
  const of = { app_id: 74, auction_id: randomUUID(), zone: "feed" };
  const held = { ...of, imp_id: "1", floor_arm: "held", floor_probability: 0.1 } as const;
  const learned = { ...of, imp_id: "2", floor_arm: "learned", floor_step: 70, floor_probability: 0.2 } as const;
  const earlier = { app_id: 74, floor_arm: "learned", floor_step: 70, floor_probability: 0.2 } as const;
  await keepAll([
    request(3, held, null),
    // An exchange counts a name beyond an app's limit as another zone, and its beacon tells of the zone that it was sold in.
    request(3, learned, { ...sold(2), zone: "another", imp_id: "2" }),
    request(3, earlier, sold(5)),
    request(3, earlier, { ...sold(7), zone: "feed" }),
  ]);
  expect(await earnedBy(74)).toEqual({
    held: { count: 1, sum: 0, squares: 0 },
    learned: { count: 3, sum: inMicros(7), squares: 1e12 * (4 + 25) },
  });
});

test("a floor that loses the bids behind an adapter is told as a loss, though the adapter is first as often as without it", async () => {
  const first = { winner: "line-items", price_micros: 0, expected_micros: inMicros(3) };
  // An adapter at $3 fills one time in ten, and a bid of $1 is behind it. A floor of $1.50 refuses the bid.
  const requests = Array.from({ length: 2000 }, (_, nth) => {
    const isFilled = nth % 10 === 0;
    const arm = nth < 1000 ? "held" : "learned";
    const behind = arm === "held" ? sold(1) : null;
    const row = { ...first, app_id: 73, floor_arm: arm, floor_step: 77, floor_probability: 0.5 } as const;
    return request(2 + (nth % 50), row, isFilled ? byLineItem(3) : behind);
  });
  await keepAll(requests);
  const { held, learned } = await earnedBy(73);
  expect([held.count, learned.count]).toEqual([1000, 1000]);
  expect([held.sum, learned.sum]).toEqual([inMicros(1200), inMicros(300)]);
  expect(liftOf(learned, held).possible.high).toBeLessThan(0);
});
