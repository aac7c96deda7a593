import fc from "fast-check";
import { expect, test } from "vitest";
import { shadeBid, spendingAt } from "./shade-bid.ts";

const HOURLY = Array.from({ length: 24 }, () => 100);
/** As many requests at every price up to 4 dollars. */
const EVEN = { hourly: HOURLY, today: 1, winnable: (price: number) => Math.min(1, price / 4e6) };
/** Every request has the same price to beat. */
const CLIFF = { hourly: HOURLY, today: 1, winnable: (price: number) => (price > 1e6 ? 1 : 0) };
const UNKNOWN = { hourly: HOURLY, today: 1, winnable: null };

test("the bid is as low as what is to be spent allows", () => {
  const value = spendingAt(EVEN, 1_500_000);
  const { bidMicros, share } = shadeBid(2_000_000, EVEN, value);
  expect(bidMicros / 1_500_000).toBeCloseTo(1, 2);
  expect(share).toBe(1);
});

test("the full bid takes part in everything when less would not do", () => {
  expect(shadeBid(2_000_000, EVEN, 1e9)).toEqual({ bidMicros: 2_000_000, share: 1 });
  expect(shadeBid(2_000_000, EVEN, Infinity)).toEqual({ bidMicros: 2_000_000, share: 1 });
  expect(shadeBid(900_000, CLIFF, 1)).toEqual({ bidMicros: 900_000, share: 1 });
});

test("a campaign takes part in fewer auctions only where no bid is right", () => {
  // A quarter of the bid is the least.
  expect(shadeBid(2_000_000, EVEN, spendingAt(EVEN, 500_000) / 2)).toEqual({ bidMicros: 500_000, share: 0.5 });
  expect(shadeBid(300_000, EVEN, spendingAt(EVEN, 250_000) / 2)).toEqual({ bidMicros: 250_000, share: 0.5 });
  const { bidMicros, share } = shadeBid(2_000_000, CLIFF, 100);
  expect([bidMicros > 1_000_000 && bidMicros < 1_100_000, share]).toEqual([true, 100_000 / bidMicros]);
  expect(shadeBid(2_000_000, UNKNOWN, 500)).toEqual({ bidMicros: 2_000_000, share: 0.25 });
});

test("nothing to spend is no part", () => {
  expect(shadeBid(2_000_000, EVEN, 0)).toEqual({ bidMicros: 2_000_000, share: 0 });
});

test("no bid is above the campaign's or below the least, and more to spend never means less", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 250_000, max: 100_000_000 }),
      fc.double({ min: 0.001, max: 1e6, noNaN: true }),
      fc.double({ min: 1, max: 100, noNaN: true }),
      fc.constantFrom(EVEN, CLIFF, UNKNOWN),
      (bid, value, times, outlook) => {
        const [less, more] = [shadeBid(bid, outlook, value), shadeBid(bid, outlook, value * times)];
        for (const { bidMicros, share } of [less, more]) {
          expect(Number.isInteger(bidMicros)).toBe(true);
          expect(bidMicros).toBeLessThanOrEqual(bid);
          expect(bidMicros).toBeGreaterThanOrEqual(Math.min(bid, Math.max(250_000, bid / 4)));
          expect(share).toBeGreaterThan(0);
          expect(share).toBeLessThanOrEqual(1);
        }
        const spends = ({ bidMicros, share }: typeof less) => share * spendingAt(outlook, bidMicros);
        expect(spends(more)).toBeGreaterThanOrEqual(spends(less) * 0.999);
      },
    ),
  );
});
