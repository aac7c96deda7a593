import type { RevenueChange } from "@millrace/contract";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { revenueSteps } from "./revenue-steps.ts";

const figures = (revenue: number) => ({ requests: 1, impressions: 1, fillrate: 100, ecpm: 1, revenue });

const change = (before: number, parts: readonly [number, number, number]): RevenueChange => {
  const [requests, fillrate, ecpm] = parts;
  const difference = requests + fillrate + ecpm;
  return {
    before: figures(before),
    after: figures(before + difference),
    difference,
    factors: { requests, fillrate, ecpm },
    main: null,
  };
};

test("each step begins where the one before it ends, and the last one ends at the revenue now", () => {
  const part = fc.integer({ min: -1_000_000, max: 1_000_000 });
  fc.assert(
    fc.property(fc.integer({ min: 3_000_000, max: 9_000_000 }), fc.tuple(part, part, part), (before, parts) => {
      const { steps } = revenueSteps(change(before, parts));
      const [first, requests, fill, ecpm, now] = steps;
      expect([first?.to, requests?.to, fill?.to]).toEqual([requests?.from, fill?.from, ecpm?.from]);
      expect(ecpm?.to).toBe(now?.to);
      expect((first?.micros ?? 0) + (requests?.micros ?? 0) + (fill?.micros ?? 0) + (ecpm?.micros ?? 0)).toBe(
        now?.micros,
      );
      for (const { from, to } of steps) expect(Math.min(from, to) >= 0 && Math.max(from, to) <= 100.000_001).toBe(true);
    }),
  );
});

test("bars of a small change do not begin at zero, and say so; those of a large one do", () => {
  expect(revenueSteps(change(100, [4, -1, 2])).broken).toBe(true);
  const large = revenueSteps(change(100, [60, 0, 0]));
  expect(large.broken).toBe(false);
  expect(large.steps[0]).toMatchObject({ from: 0, to: 62.5 });
});

test("without revenue in both periods all steps are flat", () => {
  expect(revenueSteps(change(0, [0, 0, 0])).steps.map(({ from, to }) => [from, to])).toEqual(
    Array.from({ length: 5 }, () => [0, 0]),
  );
});
