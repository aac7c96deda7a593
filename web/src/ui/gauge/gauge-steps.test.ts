import * as fc from "fast-check";
import { expect, test } from "vitest";
import { GAUGE_STEPS, litSteps, stepDegrees } from "./gauge-steps.ts";

test("a percentage moves in steps of 3", () => {
  expect([0, 1, 2, 3, 4, 50, 88.03, 98, 99, 100].map(litSteps)).toEqual([0, 0, 1, 1, 1, 17, 29, 33, 33, 33]);
});

test("values outside of 0 to 100 and invalid numbers are clamped", () => {
  expect([-5, 250, null, Number.NaN].map(litSteps)).toEqual([0, GAUGE_STEPS, 0, 0]);
});

test("the steps fill 180 degrees from left to right", () => {
  expect(stepDegrees(0).from).toBe(0);
  expect(stepDegrees(GAUGE_STEPS - 1).to).toBeCloseTo(180);
});

test("a higher percentage never lights fewer steps", () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 100, noNaN: true }), fc.double({ min: 0, max: 100, noNaN: true }), (a, b) => {
      expect(litSteps(Math.min(a, b))).toBeLessThanOrEqual(litSteps(Math.max(a, b)));
    }),
  );
});
