import * as fc from "fast-check";
import { expect, test } from "vitest";
import { LOTS, SAMPLES, planSamples, scaledUp } from "./sampling.ts";

test("a group is sampled where the sample is large enough, and otherwise counted whole", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.tuple(fc.string(), fc.nat(2_000_000)), { selector: ([id]) => id }), (groups) => {
      const plan = planSamples(new Map(groups));
      const lotsOf = new Map([...plan].flatMap(([lots, ids]) => ids.map((id) => [id, lots] as const)));
      for (const [id, inOneLot] of groups) {
        const lots = lotsOf.get(id);
        if (lots === undefined) {
          // Never more than two samples' worth, which is what makes the whole affordable.
          expect(inOneLot * LOTS).toBeLessThan(50_048);
        } else {
          expect(SAMPLES).toContain(lots);
          expect(inOneLot * lots).toBeGreaterThanOrEqual(25_000);
          // The next smaller sample would not have done.
          const smaller = SAMPLES.findLast((sample) => sample < lots) ?? 0;
          expect(inOneLot * smaller).toBeLessThan(25_000);
        }
      }
    }),
  );
});

test("a group below ten thousand devices is never sampled: a lot would need five times its share of them", () => {
  const expected = 10_000 / LOTS;
  expect(planSamples(new Map([["", Math.ceil(expected * 4.99)]])).size).toBe(0);
});

test("a sample is scaled up to all lots, and all lots are what they are", () => {
  expect(scaledUp(30_000, 2)).toBe(960_000);
  expect(scaledUp(9_999, LOTS)).toBe(9_999);
});
