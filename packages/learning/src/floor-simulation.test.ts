import { describe, expect, test } from "vitest";
import { mean } from "./testing/seeded.ts";
import { automaticFloors, fixedFloor, FLOOR_STEPS, sell } from "./testing/simulated-floors.ts";

const AUCTIONS = 200_000;
/** The publisher's own floor, which is far too low. */
const OWN_MICROS = 200_000;

describe.each(["one", "two", "three"])("among bidders that shade in reply to floors, with seed %s,", (seed) => {
  const auto = automaticFloors(OWN_MICROS, 800_000);
  const revenue = sell(seed, auto, AUCTIONS);
  const fixedAt = (floor: number) => mean(sell(seed, fixedFloor(floor), 60_000).slice(20_000));

  test("automatic floors earn what the best fixed floor does, less 2% at most, hold-out included", () => {
    const best = Math.max(...FLOOR_STEPS.map(fixedAt));
    expect(mean(revenue.slice(AUCTIONS / 2))).toBeGreaterThanOrEqual(best * 0.98);
  });

  test("their gain over the publisher's floor is proven by the hold-out", () => {
    expect(auto.floor.isProven).toBe(true);
    expect(mean(revenue.slice(AUCTIONS / 2))).toBeGreaterThan(fixedAt(OWN_MICROS) * 1.2);
  });
});
