import { impressionMicros, revenueShareMicros } from "@millrace/units";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { priceSplit } from "./price-split.ts";

const price = fc.integer({ min: 0, max: 10_000_000_000 });
const share = fc.integer({ min: 0, max: 1_000_000 });

test("price, fee and the publisher's part add up to the micro-dollar, for an impression and for a thousand", () => {
  fc.assert(
    fc.property(price, share, share, fc.option(fc.nat(20_000_000)), (priceMicros, sharePpm, currentSharePpm, told) => {
      const cleared = impressionMicros(priceMicros);
      const revenueMicros = told === null ? null : Math.min(told, cleared);
      for (const known of [sharePpm, null]) {
        const split = priceSplit({ priceMicros, sharePpm: known, currentSharePpm, revenueMicros });
        expect(split.impression.fee + split.impression.earned).toBe(split.impression.cleared);
        expect(split.thousand.fee + split.thousand.earned).toBe(priceMicros);
        expect(split.impression.cleared).toBe(cleared);
        expect(Math.min(split.impression.fee, split.thousand.fee, split.thousand.earned)).toBeGreaterThanOrEqual(0);
        if (revenueMicros !== null) expect(split.impression.earned).toBe(revenueMicros);
      }
    }),
  );
});

test("the fee is the one that the ad was sold at, not today's", () => {
  fc.assert(
    fc.property(price, share, share, (priceMicros, sharePpm, currentSharePpm) => {
      const revenueMicros = revenueShareMicros(impressionMicros(priceMicros), sharePpm);
      const { feePpm, impression } = priceSplit({ priceMicros, sharePpm, currentSharePpm, revenueMicros });
      expect(feePpm).toBe(1_000_000 - sharePpm);
      expect(impression.earned).toBe(revenueMicros);
    }),
  );
});

test("a recorded revenue that today's share does not give names no fee rate", () => {
  const split = priceSplit({ priceMicros: 1_670_300, sharePpm: null, currentSharePpm: 700_000, revenueMicros: 1336 });
  expect(split).toEqual({
    feePpm: null,
    feeBy: expect.stringContaining("neither the recorded share nor today's gives it") as string,
    impression: { cleared: 1670, fee: 334, earned: 1336 },
    thousand: { cleared: 1_670_300, fee: 334_060, earned: 1_336_240 },
  });
});

test("the fee says where its rate comes from", () => {
  const sold = { priceMicros: 2_000_000, currentSharePpm: 700_000 };
  expect(priceSplit({ ...sold, sharePpm: 800_000, revenueMicros: 1600 }).feeBy).toBe(
    "Your share was 80% at the sale, as for all publishers of this platform.",
  );
  expect(priceSplit({ ...sold, sharePpm: null, revenueMicros: 1400 }).feeBy).toBe(
    "No share was recorded at the sale. Today's of 70%, the same for all publishers, gives what was earned.",
  );
  expect(priceSplit({ ...sold, sharePpm: null, revenueMicros: null }).feeBy).toBe(
    "No share was recorded at the sale. This is reckoned with today's of 70%, the same for all publishers.",
  );
});
