import * as fc from "fast-check";
import { expect, test } from "vitest";
import { microsToDecimal, priceToMicros } from "./price.ts";

test.each([
  [1, 1_000_000],
  [1.005, 1_005_000],
  [0.29, 290_000],
  [1.1, 1_100_000],
  [0.000001, 1],
  [0.0000004, 0],
  [0.0000005, 1],
  [-0.0000005, -1],
  [-1.5, -1_500_000],
  [0, 0],
  [-0, 0],
  [1e300, Number.MAX_SAFE_INTEGER],
  [-1e300, -Number.MAX_SAFE_INTEGER],
  [JSON.parse("1e309"), null],
  [Number.NaN, null],
  [-Infinity, null],
  ["1.5", null],
  [null, null],
  [undefined, null],
] as [unknown, number | null][])("%s dollars are %s micros", (price, micros) => {
  expect(priceToMicros(price)).toBe(micros);
});

test("prices of up to six decimals survive the way there and back", () => {
  fc.assert(
    fc.property(fc.integer({ min: -10_000_000_000, max: 10_000_000_000 }), (micros) => {
      expect(priceToMicros(Number(microsToDecimal(micros)))).toBe(micros);
      expect(microsToDecimal(micros)).toMatch(/^-?(0|[1-9]\d*)(\.\d{0,5}[1-9])?$/);
    }),
  );
});

test("any number gives safe micros or none", () => {
  fc.assert(
    fc.property(fc.double(), (price) => {
      const micros = priceToMicros(price);
      expect(micros === null ? !Number.isFinite(price) : Number.isSafeInteger(micros)).toBe(true);
    }),
  );
});
