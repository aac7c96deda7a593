import * as fc from "fast-check";
import { expect, test } from "vitest";
import { sortVendorIds } from "./vendor-ids.ts";
import { floorMicros, publisherFloorMicros } from "./floors.ts";
import { formatOfImp } from "./format.ts";
import type { FloorRule } from "./input.ts";

const rules: FloorRule[] = [
  { floorMicros: 1 },
  { format: "banner", floorMicros: 2 },
  { country: "DE", floorMicros: 3 },
  { country: "DE", format: "banner", floorMicros: 4 },
  { country: "DE", format: "video", floorMicros: 0 },
  { country: "FR", floorMicros: 6 },
  { country: "FR", floorMicros: 5 },
];

test.each([
  ["US", "native", 0, 1],
  ["US", "banner", 0, 2],
  ["DE", "native", 0, 3],
  ["DE", "banner", 0, 4],
  ["DE", "video", 0, 0],
  ["DE", "video", 9, 9],
  ["FR", "native", 0, 6],
  [null, "native", 0, 1],
  ["DE", "banner", 5, 5],
] as const)("in %s a %s with request floor %i has the floor %i", (country, format, request, floor) => {
  expect(floorMicros(rules, request, country, format)).toBe(floor);
});

test("the closest rule counts, as it does when all of them are gone through", () => {
  const country = fc.constantFrom("DE", "FR", "US");
  const format = fc.constantFrom("banner" as const, "video" as const, "native" as const);
  const rule = fc.record(
    { country, format, floorMicros: fc.integer({ min: -5, max: 20 }) },
    { requiredKeys: ["floorMicros"] },
  );
  fc.assert(
    fc.property(fc.array(rule), fc.option(country), format, (all, where, what) => {
      const fitting = all.filter((each) => (each.country ?? where) === where && (each.format ?? what) === what);
      const aim = (each: FloorRule) => (each.country === undefined ? 0 : 2) + (each.format === undefined ? 0 : 1);
      const closest = Math.max(...fitting.map(aim));
      const floors = fitting.filter((each) => aim(each) === closest).map(({ floorMicros: floor }) => floor);
      expect(publisherFloorMicros(all, where, what)).toBe(Math.max(0, ...floors));
    }),
  );
});

test("without rules the request's floor stands, and a negative rule is none", () => {
  expect(floorMicros([], 7, "DE", "banner")).toBe(7);
  expect(floorMicros([{ floorMicros: -5 }], 0, "DE", "banner")).toBe(0);
});

test.each([
  [{ banner: {} }, "banner"],
  [{ banner: {}, video: { mimes: [] } }, "banner"],
  [{ banner: {}, instl: 1 }, "interstitial"],
  [{ video: { mimes: [] } }, "video"],
  [{ video: { mimes: [] }, rwdd: 1, instl: 1 }, "rewarded"],
  [{ native: { request: "{}" } }, "native"],
  [{ audio: { mimes: [] } }, "audio"],
])("%j sells %s", (imp, format) => {
  expect(formatOfImp({ id: "1", ...imp })).toBe(format);
});

test("vendor ids are sorted as numbers, each once", () => {
  expect(sortVendorIds([10, 9, 100, 9])).toEqual([9, 10, 100]);
});

test("an app's rules are compiled once for all of its auctions", () => {
  let readings = 0;
  const counted = new Proxy(rules, {
    get: (list, key, self) => {
      if (key === Symbol.iterator) readings++;
      return Reflect.get(list, key, self) as unknown;
    },
  });
  for (const country of ["DE", "FR", "US"]) publisherFloorMicros(counted, country, "banner");
  expect(readings).toBe(1);
});
