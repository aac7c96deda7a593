import type { Changes, RevenueChange } from "@millrace/contract";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { revenueSteps, shownChange } from "./revenue-steps.ts";

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

const moved = (before: number, parts: readonly [number, number, number], movers: readonly number[]): Changes => {
  const whole = change(before, parts);
  const named = movers.map((difference, nth) => ({ ...change(0, [difference, 0, 0]), id: `app-${nth}`, name: "App" }));
  const rest = whole.difference - movers.reduce((sum, micros) => sum + micros, 0);
  return { ...whole, by: "app", movers: named, rest } as Changes;
};

/** In micro-dollars, what `+$1,234.50` says. */
const read = (text: string): number => Math.round(1_000_000 * Number(text.replaceAll(/[+$,]/g, "").replace("−", "-")));
const readAll = (texts: readonly string[]): number => texts.map(read).reduce((sum, micros) => sum + micros, 0);
const wholes = (texts: readonly string[], decimals: number) =>
  texts.filter((text) => text.replace(/^.*\./, "").length <= decimals);

test("shown steps and shown movers add up to the shown difference, and that to the shown totals", () => {
  const part = fc.integer({ min: -20_000_000, max: 20_000_000 });
  fc.assert(
    fc.property(
      fc.integer({ min: 70_000_000, max: 90_000_000 }),
      fc.tuple(part, part, part),
      fc.array(part, { maxLength: 5 }),
      (before, parts, movers) => {
        const changes = moved(before, parts, movers);
        const shown = shownChange(changes);
        const decimals = shown.total(before).replace(/^.*\./, "").length;
        const difference = read(shown.total(changes.after.revenue)) - read(shown.total(before));
        expect(readAll(wholes([shown.difference], decimals))).toBe(difference);
        // What is smaller than the last digit has all its digits, and is no part of the sum.
        expect(readAll(wholes(shown.factors, decimals))).toBe(difference);
        expect(readAll(wholes([...shown.movers, shown.rest], decimals))).toBe(difference);
      },
    ),
  );
});

test("$18.07 and $22.73 are $4.66 apart", () => {
  const shown = shownChange(moved(18_074_900, [4_650_200, 0, 0], [4_650_200]));
  expect([shown.difference, ...shown.factors]).toEqual(["+$4.66", "+$4.66", "$0.00", "$0.00"]);
  expect([...shown.movers, shown.rest]).toEqual(["+$4.66", "$0.00"]);
});

test("a part of a cent is shown with all its digits, and a difference of one between the digits shown, too", () => {
  expect(shownChange(moved(18_070_000, [4_660_000, 3_801, -3_801], [])).factors).toEqual([
    "+$4.66",
    "+$0.003801",
    "−$0.003801",
  ]);
  const tiny = shownChange(moved(18_074_940, [20, 0, 0], []));
  expect([tiny.total(18_074_940), tiny.difference, tiny.total(18_074_960)]).toEqual([
    "$18.074940",
    "+$0.000020",
    "$18.074960",
  ]);
});
