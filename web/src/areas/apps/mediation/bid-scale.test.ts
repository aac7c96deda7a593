import * as fc from "fast-check";
import { expect, test } from "vitest";
import { bidScale, bucketEnd, fateOf, ticksOf } from "./bid-scale.ts";

const bucket = (from: number) => ({ from, requests: 1, sold: 0, impressions: 0, revenue: 0 });
const dollars = fc.integer({ min: 1000, max: 1_000_000_000 });

test("all bids and floors are on the axis, and a place gives its price back", () => {
  fc.assert(
    fc.property(
      fc.array(dollars, { maxLength: 5 }),
      fc.array(dollars, { maxLength: 3 }),
      dollars,
      (froms, floors, floor) => {
        const scale = bidScale({ buckets: froms.map(bucket), floors }, floor);
        for (const price of [...froms, ...froms.map(bucketEnd), ...floors, floor]) {
          expect(price).toBeGreaterThanOrEqual(scale.lo * 0.999);
          expect(price).toBeLessThanOrEqual(scale.hi * 1.001);
        }
        expect(Math.abs(scale.priceAt(scale.at(floor)) - floor)).toBeLessThanOrEqual(51);
      },
    ),
  );
});

test("without bids the axis has two powers of ten, and ticks at them", () => {
  const scale = bidScale({ buckets: [], floors: [] }, null);
  expect(ticksOf(scale)).toEqual([100_000, 1_000_000, 10_000_000]);
  expect([scale.at(0), scale.at(1_000_000), scale.at(1e12)]).toEqual([0, 0.5, 1]);
});

test.each([
  [500, 1000, null, "under"],
  [1500, 1000, null, "sold"],
  [1500, 1000, 2000, "lost"],
  [2500, 1000, 2000, "sold"],
  [700, 1000, 600, "gained"],
  [500, 1000, 600, "under"],
] as const)("bids of %i with a floor of %i and a new one of %s are %s", (from, today, floor, fate) => {
  expect(fateOf(from, today, floor)).toBe(fate);
});
