import fc from "fast-check";
import { expect, test } from "vitest";
import type { Cell } from "./cell.ts";
import { drawPrice, expectedPrice, fitPriceFactors } from "./expected-price.ts";

const US: Cell = { format: "banner", country: "US", platform: "ios" };
const seen = (cell: Partial<Cell>, factor: number, count: number) => ({
  ...US,
  ...cell,
  factors: { count, sum: factor * count, squares: factor ** 2 * count * 1.2 },
});
const STATED = 4_000_000;

test("without an impression, the stated price is expected", () => {
  const { expectedMicros, lowMicros, highMicros } = expectedPrice({}, US, STATED);
  expect(expectedMicros).toBe(STATED);
  expect(lowMicros).toBeLessThan(1_000_000);
  expect(highMicros).toBeGreaterThan(7_000_000);
});

test("with many impressions, a price is what they paid, within a narrow interval", () => {
  const { expectedMicros, lowMicros, highMicros } = expectedPrice(fitPriceFactors([seen({}, 0.5, 2000)]), US, STATED);
  expect(expectedMicros).toBeCloseTo(2_000_000, -5);
  expect(highMicros - lowMicros).toBeLessThan(200_000);
});

test("a country that nobody has seen gets what the others pay, less surely", () => {
  const factors = fitPriceFactors([seen({}, 0.5, 2000), seen({ country: "DE" }, 0.6, 2000)]);
  const brazil = expectedPrice(factors, { ...US, country: "BR" }, STATED);
  expect(brazil.expectedMicros).toBeCloseTo(2_200_000, -5);
});

test("a few impressions move a cell less than many do", () => {
  const others = seen({ country: "DE" }, 1, 5000);
  const at = (count: number) =>
    expectedPrice(fitPriceFactors([others, seen({}, 0.2, count)]), US, STATED).expectedMicros;
  expect(at(3)).toBeGreaterThan(at(30));
  expect(at(30)).toBeGreaterThan(at(3000));
  expect(at(3)).toBeGreaterThan(2_000_000);
  expect(at(3000)).toBeLessThan(1_000_000);
});

test("an auction draws the same price each time, and every price as often as its probability says", () => {
  const factors = fitPriceFactors([seen({}, 1, 50)]);
  const drawAll = () =>
    Array.from({ length: 30_000 }, (_, nth) =>
      drawPrice({ seed: `auction ${nth}`, id: "line-1", explorationShare: 0.5 }, factors, US, STATED),
    );
  const all = drawAll();
  expect(drawAll()).toEqual(all);
  const byPrice = new Map<string, number>();
  for (const { priceMicros, isExplored, probability } of all) {
    const key = `${isExplored} ${priceMicros} ${probability}`;
    byPrice.set(key, (byPrice.get(key) ?? 0) + 1);
  }
  expect(byPrice.size).toBe(17);
  for (const [key, times] of byPrice) {
    expect(Math.abs(times / all.length - Number(key.split(" ")[2]))).toBeLessThan(0.01);
  }
});

test("prices are positive integers, whatever was seen", () => {
  const row = fc.record({
    format: fc.constantFrom("banner", "rewarded_video"),
    country: fc.constantFrom("US", "DE"),
    platform: fc.constantFrom("ios", "android"),
    factors: fc.array(fc.double({ min: 0, max: 1000, noNaN: true }), { maxLength: 5 }).map((values) => ({
      count: values.length,
      sum: values.reduce((sum, value) => sum + value, 0),
      squares: values.reduce((sum, value) => sum + value ** 2, 0),
    })),
  });
  fc.assert(
    fc.property(fc.array(row, { maxLength: 8 }), fc.string(), (rows, seed) => {
      const factors = fitPriceFactors(rows);
      const { lowMicros, expectedMicros, highMicros } = expectedPrice(factors, US, STATED);
      const { priceMicros, probability } = drawPrice({ seed, id: "1", explorationShare: 0.3 }, factors, US, STATED);
      for (const price of [lowMicros, expectedMicros, highMicros, priceMicros]) {
        expect(Number.isSafeInteger(price) && price > 0).toBe(true);
      }
      expect(lowMicros).toBeLessThanOrEqual(expectedMicros);
      expect(expectedMicros).toBeLessThanOrEqual(highMicros);
      expect(probability).toBeGreaterThan(0);
    }),
  );
});
