import { type FloorRule, publisherFloorMicros } from "@millrace/auction";
import { FORMATS } from "@millrace/contract";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { floorSource } from "./floor-source.ts";

const sourceOf = (floors: FloorRule[], floorMicros: number) =>
  floorSource({ app: { floors }, device: { country: "US" } }, { format: "rewarded", floorMicros });

test("the floor's source is the most specific rule, the request, or nobody", () => {
  const rules: FloorRule[] = [
    { floorMicros: 1 },
    { format: "rewarded", floorMicros: 2 },
    { country: "US", floorMicros: 3 },
  ];
  expect(sourceOf(rules, 3).text).toBe("Your floor for United States, all formats");
  expect(sourceOf(rules.slice(0, 2), 2)).toEqual({
    source: "publisher",
    country: null,
    format: "rewarded",
    text: "Your floor for all countries, rewarded video",
  });
  expect(sourceOf(rules, 4).source).toBe("request");
  expect(sourceOf([], 0).source).toBe("nobody");
});

test("the named rule is always one that gives the floor", () => {
  const rule = fc.record(
    {
      country: fc.constantFrom("US", "DE"),
      format: fc.constantFrom(...FORMATS),
      floorMicros: fc.integer({ min: 1, max: 9 }),
    },
    { requiredKeys: ["floorMicros"] },
  );
  fc.assert(
    fc.property(fc.array(rule, { minLength: 1 }), (rules) => {
      const floorMicros = publisherFloorMicros(rules, "US", "rewarded");
      const { source, country, format } = sourceOf(rules, floorMicros);
      if (floorMicros === 0) {
        expect(source).toBe("nobody");
        return;
      }
      const giving = rules.filter((each) => each.floorMicros === floorMicros);
      expect(giving.map((each) => [each.country ?? null, each.format ?? null])).toContainEqual([country, format]);
    }),
  );
});
