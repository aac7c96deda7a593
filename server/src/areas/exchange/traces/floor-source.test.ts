import { type FloorDraw, type FloorRule, publisherFloorMicros } from "@millrace/auction";
import { FORMATS } from "@millrace/contract";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { floorSource } from "./floor-source.ts";

const sourceOf = (floors: FloorRule[], floorMicros: number) =>
  floorSource({ app: { floors }, device: { country: "US" } }, { impId: "1", format: "rewarded", floorMicros });

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

test.each([
  [
    { arm: "held", step: null, probability: 0.05 },
    2,
    "publisher",
    "; held out of automatic floors, as 5% of requests are",
  ],
  [
    { arm: "own", step: null, probability: 0.65 },
    2,
    "publisher",
    "; automatic floors are on trial, and 65% of requests keep yours",
  ],
  [
    { arm: "learned", step: 1, probability: 0.665 },
    620_000,
    "automatic",
    "Automatic floor, drawn with a probability of 66.5%; your floor is $0.000002",
  ],
  [
    { arm: "shock", step: 1, probability: 0.045 },
    620_000,
    "automatic",
    "Automatic floor, a step beside the learned one, drawn with a probability of 4.5%; your floor is $0.000002",
  ],
] as const)(
  "a floor drawn as %j says why it held, and a request that asks for more says so",
  (draw, floorMicros, source, text) => {
    const floorDraws: FloorDraw[] = [{ ...draw, impId: "1", floorMicros }];
    const input = { app: { floors: [{ floorMicros: 2 }] }, device: { country: "US" }, floorDraws };
    const found = floorSource(input, { impId: "1", format: "rewarded", floorMicros });
    expect([found.source, found.text.endsWith(text)]).toEqual([source, true]);
    expect(floorSource(input, { impId: "1", format: "rewarded", floorMicros: 900_000 }).source).toBe("request");
  },
);

test.each(["learned", "shock"] as const)(
  "a floor drawn as %s that is the publisher's own is the publisher's",
  (arm) => {
    const floorDraws: FloorDraw[] = [{ arm, step: 1, probability: 0.5, impId: "1", floorMicros: 620_000 }];
    const input = { app: { floors: [{ floorMicros: 620_000 }] }, device: { country: "US" }, floorDraws };
    expect(floorSource(input, { impId: "1", format: "rewarded", floorMicros: 620_000 })).toMatchObject({
      source: "publisher",
      text: "Your floor for all countries, all formats; the automatic floor is not above it",
    });
  },
);

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
