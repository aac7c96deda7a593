import fc from "fast-check";
import { expect, test } from "vitest";
import { scaleFor } from "./chart-scale.ts";
import { percentAcross, pointNear } from "./points.ts";

const plain = String;

test("a scale begins at zero, has a handful of round ticks, and room for every value", () => {
  fc.assert(
    fc.property(
      fc.array(fc.option(fc.double({ min: 0.001, max: 1e12, noNaN: true })), { minLength: 1, maxLength: 50 }),
      (values) => {
        const { top, ticks } = scaleFor(values, plain);
        expect(Math.max(0, ...values.map((value) => value ?? 0))).toBeLessThanOrEqual(top);
        expect(ticks[0]?.value).toBe(0);
        expect(ticks.at(-1)?.value).toBeLessThanOrEqual(top);
        expect(ticks.length).toBeLessThanOrEqual(7);
      },
    ),
  );
});

test.each([
  [
    [3, null, 7.4],
    [0, 2, 4, 6, 8],
  ],
  [
    [99, 100],
    [0, 20, 40, 60, 80, 100],
  ],
  [[0.0123], [0, 0.005, 0.01, 0.015]],
])("the ticks for %j are %j", (values, ticks) => {
  expect(scaleFor(values, plain).ticks.map(({ value }) => value)).toEqual(ticks);
});

test.each([
  [[1], [0, 1]],
  [
    [0, 2],
    [0, 1, 2],
  ],
  [[5_000_000], [0, 1_000_000, 2_000_000, 3_000_000, 4_000_000, 5_000_000]],
])("whole values such as %j have whole ticks", (values, ticks) => {
  expect(scaleFor(values, plain).ticks.map(({ value }) => value)).toEqual(ticks);
});

test.each([[[]], [[null, null]], [[0, 0]]])("a scale for %j has zero alone", (values) => {
  expect(scaleFor(values, plain)).toEqual({ top: 1, ticks: [{ value: 0, label: "0" }] });
});

test("points are spread over the whole width, and found again there", () => {
  expect([0, 1, 2].map((index) => percentAcross(index, 3))).toEqual([0, 50, 100]);
  expect(percentAcross(0, 1)).toBe(50);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 400 }), fc.nat(), (points, any) => {
      const index = any % points;
      expect(pointNear(percentAcross(index, points) / 100, points)).toBe(index);
    }),
  );
  expect([pointNear(-0.2, 5), pointNear(1.3, 5)]).toEqual([0, 4]);
});
