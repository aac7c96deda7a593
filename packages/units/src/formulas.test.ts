import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  ctr,
  currentSession,
  divideRounded,
  ecpmMicros,
  fillRate,
  impressionMicros,
  ltvMicros,
  revenueShareMicros,
  sharePpmOn,
  useRate,
} from "./index.ts";

test("the formulas give the product's numbers", () => {
  expect(fillRate(75, 300)).toBe(25);
  expect(ctr(3, 200)).toBe(1.5);
  expect(useRate(50, 200)).toBe(25);
  expect(currentSession(600, 4)).toBe(150);
  expect(ecpmMicros(6_310_000, 1000)).toBe(6_310_000);
  expect(ecpmMicros(2, 3)).toBe(667);
  expect(ltvMicros(18_944_200_000, 412_600)).toBe(45_914);
});

test("a division by zero gives null", () => {
  for (const formula of [fillRate, ctr, useRate, currentSession, ecpmMicros, ltvMicros])
    expect(formula(5, 0)).toBeNull();
});

test("sums beyond 2^53 keep their last micro", () => {
  expect(ecpmMicros(9_007_199_254_740_993_000n, 1_000_000_000n)).toBe(9_007_199_254_741);
  expect(ltvMicros(2n ** 60n + 7n, 1n)).toBe(Number(2n ** 60n + 7n));
});

test("an impression costs a thousandth of its CPM, rounded half up to a micro", () => {
  expect([0, 499, 500, 999, 1499, 1500, 250_000, 1_234_567].map(impressionMicros)).toEqual([
    0, 0, 1, 1, 1, 2, 250, 1235,
  ]);
  fc.assert(
    fc.property(fc.nat({ max: Number.MAX_SAFE_INTEGER }), (cpmMicros) => {
      expect(BigInt(impressionMicros(cpmMicros))).toBe((BigInt(cpmMicros) + 500n) / 1000n);
    }),
  );
  for (const wrong of [-1, 0.5, Number.NaN, 2 ** 53]) expect(() => impressionMicros(wrong)).toThrow(RangeError);
});

test("the publisher's share and the rest add up to the price, and a larger share never pays less", () => {
  const ppm = fc.integer({ min: 0, max: 1_000_000 });
  fc.assert(
    fc.property(fc.nat({ max: 10 ** 12 }), ppm, ppm, (price, share, other) => {
      const part = revenueShareMicros(price, share);
      expect(part).toBeGreaterThanOrEqual(0);
      expect(price - part).toBeGreaterThanOrEqual(0);
      expect(part).toBeLessThanOrEqual(revenueShareMicros(price, Math.max(share, other)));
    }),
  );
  expect(revenueShareMicros(1235, 800_000)).toBe(988);
  expect(revenueShareMicros(999, 1_000_000)).toBe(999);
  expect([21, 22, 23, 24].map((price) => revenueShareMicros(price, 800_000))).toEqual([17, 18, 18, 19]);
  for (const wrong of [-1, 1_000_001, 0.8]) expect(() => revenueShareMicros(1, wrong)).toThrow(RangeError);
});

test("rounding is off by at most half and symmetric around zero", () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }),
      fc.bigInt({ min: 1n, max: 2n ** 40n }),
      (top, bottom) => {
        const off = divideRounded(top, bottom) * bottom - top;
        expect((off < 0n ? -off : off) * 2n <= bottom).toBe(true);
        expect(divideRounded(-top, bottom)).toBe(-divideRounded(top, bottom));
      },
    ),
  );
});

test("a day has the share of the last row that begins on it or before, or else the platform's", () => {
  const shares = [
    { fromDay: "2026-12-01", sharePpm: 850_000 },
    { fromDay: "2026-11-10", sharePpm: 700_000 },
  ];
  const on = (day: string) => sharePpmOn(day, shares, 800_000);
  expect(["2026-11-09", "2026-11-10", "2026-11-30", "2026-12-01", "2027-05-01"].map(on)).toEqual([
    800_000, 700_000, 700_000, 850_000, 850_000,
  ]);
  // Of two rows of one day the later one counts.
  expect(sharePpmOn("2026-12-01", [...shares, { fromDay: "2026-12-01", sharePpm: 1 }], 800_000)).toBe(1);
  expect(sharePpmOn("2026-12-01", [], 800_000)).toBe(800_000);
});
