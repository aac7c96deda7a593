import * as fc from "fast-check";
import { expect, test } from "vitest";
import { priceAxis } from "./price-axis.ts";

const prices = fc.array(fc.integer({ min: 0, max: 10_000_000_000 }), { maxLength: 30 });
const kind = fc.constantFrom("log" as const, "linear" as const);

test("a higher bid is never left of a lower one, and every bid is on the axis", () => {
  fc.assert(
    fc.property(kind, prices, (of, micros) => {
      const { placeOf } = priceAxis(of, micros);
      const places = micros.toSorted((a, b) => a - b).map(placeOf);
      expect(places).toEqual(places.toSorted((a, b) => a - b));
      expect(places.every((place) => place >= 0 && place <= 100)).toBe(true);
    }),
  );
});

test("an axis has a few round ticks in order, none twice", () => {
  fc.assert(
    fc.property(kind, prices, (of, micros) => {
      const { ticks, placeOf } = priceAxis(of, micros);
      expect(new Set(ticks).size).toBe(ticks.length);
      expect(ticks).toEqual(ticks.toSorted((a, b) => a - b));
      expect(ticks.length).toBeLessThanOrEqual(6);
      for (const tick of ticks) expect(placeOf(tick)).toBeLessThanOrEqual(100);
    }),
  );
});

test("bids and floor of one auction", () => {
  expect(priceAxis("linear", [3_400_000, 6_418_000]).ticks).toEqual([0, 2_000_000, 4_000_000, 6_000_000]);
  expect(priceAxis("log", [500_000, 3_400_000, 9_870_000]).ticks).toEqual([
    500_000, 1_000_000, 2_000_000, 5_000_000, 10_000_000,
  ]);
});
