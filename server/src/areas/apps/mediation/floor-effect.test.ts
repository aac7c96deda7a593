import type { Floor } from "@millrace/contract";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { bidsUnder, decides, ruleFor } from "./floor-effect.ts";

const floor = (country: string | null, format: Floor["format"], micros: number): Floor => ({
  country,
  format,
  floor: micros,
});
const row = (bucket: number, some: Partial<Parameters<typeof bidsUnder>[0][number]> = {}) => ({
  country: "US",
  format: "banner",
  bucket,
  requests: 10,
  sold: 8,
  soldMicros: 8_000_000n,
  impressions: 4,
  revenueMicros: 3200n,
  impressionsBelow: 0,
  revenueBelowMicros: 0n,
  unsoldAbove: 0,
  unsoldAboveMicros: 0n,
  ...some,
});

test("the most specific floor applies: country and format, country, format, everything else", () => {
  const floors = [floor(null, null, 1), floor(null, "banner", 2), floor("US", null, 3), floor("US", "banner", 4)];
  expect(ruleFor(floors, "US", "banner")?.floor).toBe(4);
  expect(ruleFor(floors, "US", "video")?.floor).toBe(3);
  expect(ruleFor(floors, "DE", "banner")?.floor).toBe(2);
  expect(ruleFor(floors, "DE", "video")?.floor).toBe(1);
});

test("every request is decided by exactly one of the rules, if there is one for everything", () => {
  const country = fc.constantFrom("US", "DE", null);
  const format = fc.constantFrom("banner" as const, "video" as const, null);
  const rules = fc.uniqueArray(fc.tuple(country, format), { selector: ([c, f]) => `${c} ${f}`, maxLength: 9 });
  fc.assert(
    fc.property(rules, (chosen) => {
      const floors = [...chosen, [null, null] as const]
        .filter(([c, f], index, all) => all.findIndex(([c2, f2]) => c2 === c && f2 === f) === index)
        .map(([c, f], index) => floor(c, f, index));
      for (const [c, f] of [
        ["US", "banner"],
        ["DE", "video"],
        ["FR", "audio"],
      ] as const) {
        expect(floors.filter((rule) => decides(rule, floors, c, f))).toEqual([ruleFor(floors, c, f)]);
      }
    }),
  );
});

test("a floor of all countries leaves out those that have their own", () => {
  const floors = [floor(null, "banner", 100), floor("US", "banner", 400)];
  const rows = [row(1000), row(1000, { country: "DE" }), row(0, { country: "FR", requests: 3 })];
  const bids = bidsUnder(rows, { rule: { country: null, format: "banner" }, floors, floor: undefined });
  expect(bids).toMatchObject({ requests: 13, without_bid: 3, floors: [100], effect: null });
  expect(bids.buckets).toEqual([{ from: 1000, requests: 10, sold: 8, impressions: 4, revenue: 3200 }]);
});

test("a higher floor loses the impressions sold below it, and their revenue", () => {
  const rows = [row(1000, { impressionsBelow: 3, revenueBelowMicros: 900n }), row(2000)];
  const floors = [floor("US", "banner", 500)];
  const { effect } = bidsUnder(rows, { rule: { country: "US", format: "banner" }, floors, floor: 1500 });
  expect(effect).toMatchObject({ impressions: -3, revenue: -900 });
  expect(effect?.basis).toContain("yesterday's 8 impressions");
});

test("a lower floor adds the bids that only the floor refused, as often shown and as well paid as the others", () => {
  const rows = [row(1000, { unsoldAbove: 6, unsoldAboveMicros: 2_000_000n })];
  const floors = [floor(null, null, 5000)];
  const { effect } = bidsUnder(rows, { rule: { country: null, format: null }, floors, floor: 800 });
  // 4 impressions of 8 sold, and 3,200 of revenue for 8,000,000 of prices.
  expect(effect).toMatchObject({ impressions: 3, revenue: 800 });
  expect(effect?.basis).toContain("bids that failed yesterday's floor");
});

test("the effect is that on the day's own sales, whichever floor is in force since", () => {
  const rows = [row(1000, { impressionsBelow: 3, revenueBelowMicros: 900n })];
  const rule = { country: "US", format: "banner" } as const;
  for (const inForce of [500, 1500, 2500])
    expect(bidsUnder(rows, { rule, floors: [floor("US", "banner", inForce)], floor: 1500 }).effect).toMatchObject({
      impressions: -3,
      revenue: -900,
    });
});

test("a floor below which nothing was sold, and above which nothing failed, changes nothing", () => {
  const floors = [floor("US", null, 700)];
  expect(bidsUnder([row(1000)], { rule: { country: "US", format: null }, floors, floor: 700 }).effect).toEqual({
    impressions: 0,
    revenue: 0,
    basis: expect.stringContaining("none was sold below this floor") as string,
  });
});
