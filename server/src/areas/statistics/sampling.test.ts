import * as fc from "fast-check";
import { expect, test } from "vitest";
import { LOTS, SAMPLES, isEnough, largest, planSamples, scaledUp } from "./sampling.ts";

/** The relative standard deviation of a count by some of all lots, each device being in one of them by chance. */
const deviationOf = (devices: number, lots: number) => Math.sqrt((LOTS - lots) / (lots * devices));
const lotsById = (plan: ReturnType<typeof planSamples<string>>) =>
  new Map([...plan].flatMap(([lots, ids]) => ids.map((id) => [id, lots] as const)));

test("a group is sampled where the sample tells within 2% how many there are, at three deviations, and else counted whole", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.tuple(fc.string(), fc.nat(100_000)), { selector: ([id]) => id }), (groups) => {
      const lotsOf = lotsById(planSamples(new Map(groups)));
      for (const [id, inALot] of groups) {
        const lots = lotsOf.get(id);
        if (lots === undefined) {
          // What is counted whole is small, which is what makes it affordable.
          expect(inALot * LOTS).toBeLessThan(14_080);
        } else {
          expect(SAMPLES).toContain(lots);
          expect(3 * deviationOf(inALot * LOTS, lots)).toBeLessThan(0.02);
        }
      }
    }),
  );
});

test("no more lots are read than are needed: about thirty thousand devices are enough of any number", () => {
  fc.assert(
    fc.property(fc.integer({ min: 220, max: 100_000 }), (inALot) => {
      const [lots = LOTS] = lotsById(planSamples(new Map([["", inALot]]))).values();
      const smaller = SAMPLES.findLast((sample) => sample < lots);
      expect(smaller === undefined ? 1 : deviationOf(inALot * LOTS, smaller)).toBeGreaterThan(0.0062);
    }),
  );
});

test("a group of ten thousand devices is never sampled: a lot would need five deviations more than its share", () => {
  const share = 10_000 / LOTS;
  expect(planSamples(new Map([["", share + 5 * Math.sqrt(share)]])).size).toBe(0);
});

test("a sample is enough where it was planned for as many, and not where far fewer were found", () => {
  fc.assert(
    fc.property(fc.integer({ min: 220, max: 100_000 }), (inALot) => {
      const [lots] = lotsById(planSamples(new Map([["", inALot]]))).values();
      if (lots === undefined) return;
      expect(isEnough(inALot * lots, lots)).toBe(true);
      expect(isEnough(0, lots)).toBe(false);
      expect(isEnough(Math.floor((lots * 10_000) / LOTS), lots)).toBe(false);
    }),
  );
});

test("a sample is scaled up to all lots, and all lots are what they are", () => {
  expect(scaledUp(30_000, 2)).toBe(960_000);
  expect(scaledUp(9_999, LOTS)).toBe(9_999);
});

test("no group that can be among the largest is left out, whichever way its one lot has erred", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(100_000), fc.double({ min: -4.9, max: 4.9, noNaN: true })), { maxLength: 40 }),
      fc.integer({ min: 1, max: 6 }),
      (groups, many) => {
        const named = groups.map(([share, errs], nth) => ({
          id: String(nth),
          share,
          found: share + errs * Math.sqrt(share),
        }));
        const inALot = new Map(
          named.flatMap(({ id, found }) => (found >= 1 ? [[id, Math.round(found)] as const] : [])),
        );
        const kept = largest(inALot, many);
        if (!kept) return;
        const first = named.toSorted((a, b) => b.share - a.share).slice(0, many);
        for (const { id } of first) expect(kept).toContain(id);
      },
    ),
  );
});

test("where fewer groups are seen than are wanted, or small ones are among the largest, nothing is left out", () => {
  expect(largest(new Map([["US", 5000]]), 2)).toBeUndefined();
  expect(
    largest(
      new Map([
        ["US", 5000],
        ["DE", 20],
      ]),
      2,
    ),
  ).toBeUndefined();
  expect(
    largest(
      new Map([
        ["US", 5000],
        ["DE", 400],
        ["FR", 100],
      ]),
      2,
    ),
  ).toEqual(["US", "DE"]);
});
