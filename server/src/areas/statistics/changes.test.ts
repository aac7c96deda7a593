import * as fc from "fast-check";
import { expect, test } from "vitest";
import { changeOf, mostTelling } from "./changes.ts";
import { NO_SUMS } from "./metrics.ts";
import type { Sums } from "./sums.stat.ts";

const sums = (revenue: number, some: Partial<Sums> = {}): Sums => ({
  ...NO_SUMS,
  requests: 100,
  impressions: 50,
  ...some,
  revenueMicros: BigInt(revenue),
});
const moved = (id: string, before: number, after: number) => ({
  id,
  before: sums(before),
  after: sums(after),
  difference: BigInt(after - before),
});

test("the group tells most whose keys moved apart, not one of which all keys moved alike or that has a single key", () => {
  const format = { group: "format" as const, keys: [moved("banner", 1000, 800)] };
  const country = { group: "country" as const, keys: [moved("US", 500, 400), moved("DE", 500, 400)] };
  const provider = { group: "provider" as const, keys: [moved("aurora", 500, 300), moved("borealis", 500, 500)] };
  expect(mostTelling([format, country, provider]).group).toBe("provider");
  // Nothing tells anything: the first one stands.
  expect(mostTelling([format, country]).group).toBe("format");
});

test("what appeared tells as much as what disappeared", () => {
  const country = { group: "country" as const, keys: [moved("US", 0, 400), moved("DE", 0, 0)] };
  const zone = { group: "zone" as const, keys: [moved("main", 0, 200), moved("end", 0, 200)] };
  expect(mostTelling([zone, country]).group).toBe("country");
});

test("the main factor is the one with the largest part, up or down, and none where nothing changed", () => {
  expect(changeOf(sums(1000), sums(500, { impressions: 25 })).main).toBe("fillrate");
  expect(changeOf(sums(1000), sums(2000, { requests: 200, impressions: 100 })).main).toBe("requests");
  expect(changeOf(sums(1000), sums(1500)).main).toBe("ecpm");
  expect(changeOf(sums(1000), sums(1000)).main).toBeNull();
});

test("the parts of any change add up to its difference", () => {
  const some = fc.record({ requests: fc.nat(1000), impressions: fc.nat(1000), revenue: fc.nat(10_000_000) });
  fc.assert(
    fc.property(some, some, (before, after) => {
      const { difference, factors } = changeOf(sums(before.revenue, before), sums(after.revenue, after));
      expect(factors.requests + factors.fillrate + factors.ecpm).toBe(difference);
      expect(difference).toBe(after.revenue - before.revenue);
    }),
  );
});
