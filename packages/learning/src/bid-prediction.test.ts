import { describe, expect, test } from "vitest";
import { drawSkip, fitSkips, SKIP_EXPLORATION } from "./bid-prediction.ts";
import { askPartners } from "./testing/simulated-partners.ts";

const CELL = { format: "banner", country: "US", platform: "ios", appId: 1 };

describe.each(["one", "two", "three"])("partners that never bid for some or all requests, with seed %s,", (seed) => {
  const { hopeless, hopelessSent, revenue, revenueIfAsked } = askPartners(seed, 60_000);

  test("get at least 60% fewer of them, from the first request on", () => {
    expect(hopelessSent / hopeless).toBeLessThanOrEqual(0.4);
  });

  test("and at most 0.5% of the revenue is lost", () => {
    expect(revenue / revenueIfAsked).toBeGreaterThanOrEqual(0.995);
  });
});

test("a partner that begins to bid is asked again", () => {
  const { awake, awakeSent } = askPartners("awake", 40_000, 20_000);
  expect(awakeSent / awake).toBeGreaterThan(0.85);
});

test("a partner is asked while little is known of it, and wherever it bids", () => {
  expect(fitSkips([{ ...CELL, asked: 500, bids: 0 }])).toEqual({});
  expect(fitSkips([{ ...CELL, asked: 50_000, bids: 0 }])).toEqual({ "": true });
  const skips = fitSkips([
    { ...CELL, asked: 50_000, bids: 0 },
    { ...CELL, country: "DE", asked: 5000, bids: 1000 },
    { ...CELL, platform: "android", asked: 50, bids: 0 },
  ]);
  expect(skips).toEqual({ "banner/US": true });
});

test("one app's requests are sent although no other app's are bid on", () => {
  const skips = fitSkips([
    { ...CELL, asked: 500_000, bids: 0 },
    { ...CELL, appId: 2, asked: 500, bids: 50 },
  ]);
  const of = (...apps: number[]) => {
    const cells = apps.map((appId) => ({ ...CELL, appId }));
    return drawSkip({ seed: "seed", partnerId: "1" }, skips, cells);
  };
  expect(of(1)).toEqual({ value: true, probability: 1 - SKIP_EXPLORATION });
  expect(of(2)).toBeNull();
  expect(of(3)).toEqual({ value: true, probability: 1 - SKIP_EXPLORATION });
  expect(of(1, 2)).toBeNull();
});

test("of the requests that are predicted to get no bid, 2% are sent all the same", () => {
  const skips = { "": true };
  const draws = Array.from({ length: 20_000 }, (_, nth) =>
    drawSkip({ seed: String(nth), partnerId: "1" }, skips, [CELL]),
  );
  const asked = draws.filter((draw) => draw?.value === false);
  expect(asked.length / draws.length).toBeCloseTo(SKIP_EXPLORATION, 2);
  expect(asked[0]?.probability).toBe(SKIP_EXPLORATION);
});
