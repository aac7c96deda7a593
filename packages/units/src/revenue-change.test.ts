import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type RevenueSums, splitRevenueChange } from "./revenue-change.ts";

const sums = (requests: number, impressions: number, revenueMicros: number): RevenueSums => ({
  requests,
  impressions,
  revenueMicros,
});

/** Sums as they occur, and some that do not: impressions without requests, revenue without impressions. */
const anySums = fc
  .tuple(
    fc.nat(2_000_000),
    fc.nat(2_000_000),
    fc.maxSafeNat().map((micros) => Math.floor(micros / 1000)),
  )
  .map(([requests, impressions, revenueMicros]) => sums(requests, impressions, revenueMicros));
const fewSums = fc.tuple(fc.nat(3), fc.nat(3), fc.nat(7)).map(([n, i, r]) => sums(n, i, r));
const some = fc.oneof(anySums, fewSums);

const total = ({ requests, fillrate, ecpm }: ReturnType<typeof splitRevenueChange>) => requests + fillrate + ecpm;

test("the parts add up to the difference to the micro-dollar", () => {
  fc.assert(
    fc.property(some, some, (before, after) => {
      expect(total(splitRevenueChange(before, after))).toBe(BigInt(after.revenueMicros) - BigInt(before.revenueMicros));
    }),
    { numRuns: 5000 },
  );
});

test("exchanging the periods turns the signs", () => {
  fc.assert(
    fc.property(some, some, (before, after) => {
      const [there, back] = [splitRevenueChange(before, after), splitRevenueChange(after, before)];
      expect([there.requests, there.fillrate, there.ecpm]).toEqual([-back.requests, -back.fillrate, -back.ecpm]);
    }),
    { numRuns: 2000 },
  );
});

test("each part is the mean of the factor's differences over all six orders, to the micro-dollar", () => {
  const positive = fc
    .tuple(fc.integer({ min: 1, max: 100_000 }), fc.integer({ min: 1, max: 100_000 }), fc.nat(1_000_000_000))
    .map(([n, i, r]) => sums(n, i, r));
  const factors = ({ requests, impressions, revenueMicros }: RevenueSums) => {
    const [n, i, r] = [Number(requests), Number(impressions), Number(revenueMicros)];
    return [n, i / n, r / i] as const;
  };
  const orders = [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
  ] as const;
  fc.assert(
    fc.property(positive, positive, (before, after) => {
      const [from, to] = [factors(before), factors(after)];
      const means = [0, 0, 0];
      for (const order of orders) {
        const now = [...from];
        for (const factor of order) {
          const was = now.reduce((product, value) => product * value, 1);
          now[factor] = to[factor];
          means[factor] = (means[factor] ?? 0) + (now.reduce((product, value) => product * value, 1) - was) / 6;
        }
      }
      const { requests, fillrate, ecpm } = splitRevenueChange(before, after);
      const size = Math.max(Number(before.revenueMicros), Number(after.revenueMicros)) * 100_000;
      for (const [nth, part] of [requests, fillrate, ecpm].entries())
        expect(Math.abs(Number(part) - (means[nth] ?? 0))).toBeLessThan(2 + size * 1e-11);
    }),
  );
});

test("a factor that alone changed has the whole difference", () => {
  expect(splitRevenueChange(sums(1000, 500, 2000), sums(3000, 1500, 6000))).toEqual({
    requests: 4000n,
    fillrate: 0n,
    ecpm: 0n,
  });
  expect(splitRevenueChange(sums(1000, 500, 2000), sums(1000, 250, 1000))).toEqual({
    requests: 0n,
    fillrate: -1000n,
    ecpm: 0n,
  });
  expect(splitRevenueChange(sums(1000, 500, 2000), sums(1000, 500, 2001))).toEqual({
    requests: 0n,
    fillrate: 0n,
    ecpm: 1n,
  });
});

test.each([
  ["began", sums(0, 0, 0), sums(100, 50, 700), { requests: 700n, fillrate: 0n, ecpm: 0n }],
  ["ended", sums(100, 50, 700), sums(0, 0, 0), { requests: -700n, fillrate: 0n, ecpm: 0n }],
  ["found no ads any more", sums(100, 50, 700), sums(100, 0, 0), { requests: 0n, fillrate: -700n, ecpm: 0n }],
  ["was idle in both", sums(0, 0, 0), sums(0, 0, 0), { requests: 0n, fillrate: 0n, ecpm: 0n }],
])("what %s is explained by that", (_, before, after, parts) => {
  expect(splitRevenueChange(before, after)).toEqual(parts);
});
