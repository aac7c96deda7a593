import { impressionMicros, revenueShareMicros } from "@millrace/units";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { priceSplit } from "./price-split.ts";

const price = fc.integer({ min: 0, max: 10_000_000_000 });
const share = fc.integer({ min: 0, max: 1_000_000 });

test("price, fee and the publisher's part add up to the micro-dollar, for an impression and for a thousand", () => {
  fc.assert(
    fc.property(price, share, share, fc.option(fc.nat(20_000_000)), (priceMicros, sharePpm, knownSharePpm, told) => {
      const cleared = impressionMicros(priceMicros);
      const revenueMicros = told === null ? null : Math.min(told, cleared);
      for (const known of [sharePpm, null]) {
        const split = priceSplit({ priceMicros, sharePpm: known, knownSharePpm, revenueMicros });
        expect(split.impression.fee + split.impression.earned).toBe(split.impression.cleared);
        expect(split.thousand.fee + split.thousand.earned).toBe(priceMicros);
        expect(split.impression.cleared).toBe(cleared);
        expect(Math.min(split.impression.fee, split.thousand.fee, split.thousand.earned)).toBeGreaterThanOrEqual(0);
        if (revenueMicros !== null) expect(split.impression.earned).toBe(revenueMicros);
      }
    }),
  );
});

test("the fee is the one that the ad was sold at, not the one of today", () => {
  fc.assert(
    fc.property(price, share, share, (priceMicros, sharePpm, knownSharePpm) => {
      const revenueMicros = revenueShareMicros(impressionMicros(priceMicros), sharePpm);
      const { feePpm, impression } = priceSplit({ priceMicros, sharePpm, knownSharePpm, revenueMicros });
      expect(feePpm).toBe(1_000_000 - sharePpm);
      expect(impression.earned).toBe(revenueMicros);
    }),
  );
});

test("a share that an earlier version has rounded down is known, too", () => {
  const sold = { priceMicros: 21_000, sharePpm: 800_000, knownSharePpm: 800_000 };
  expect([16, 17, 18].map((revenueMicros) => priceSplit({ ...sold, revenueMicros }).feePpm)).toEqual([
    200_000,
    200_000,
    null,
  ]);
});

test("a recorded revenue that no known share gives names no fee rate", () => {
  const split = priceSplit({ priceMicros: 1_670_300, sharePpm: null, knownSharePpm: 700_000, revenueMicros: 1336 });
  expect(split).toEqual({
    feePpm: null,
    feeBy: expect.stringContaining("no share that is known gives it") as string,
    impression: { cleared: 1670, fee: 334, earned: 1336 },
    thousand: { cleared: 1_670_300, fee: 334_060, earned: 1_336_240 },
  });
});

test("the fee says where its rate comes from", () => {
  const sold = { priceMicros: 2_000_000, knownSharePpm: 700_000 };
  expect(priceSplit({ ...sold, sharePpm: 800_000, revenueMicros: 1600 }).feeBy).toBe("Your share was 80% at the sale.");
  expect(priceSplit({ ...sold, sharePpm: null, revenueMicros: 1400 }).feeBy).toBe(
    "No share was recorded at the sale. Your share of 70% gives what was earned.",
  );
  expect(priceSplit({ ...sold, sharePpm: null, revenueMicros: null }).feeBy).toBe(
    "No share was recorded at the sale. This is computed with your share of 70%.",
  );
});
