import fc from "fast-check";
import { expect, test } from "vitest";
import { drawFloor, floorAtStep, HOLD_OUT, nextStep, stepOfFloor } from "./learned-floor.ts";

const draws = (isProven: boolean, publisherMicros = 0) =>
  Array.from({ length: 20_000 }, (_, nth) =>
    drawFloor({ seed: `auction ${nth}`, impId: "1" }, { step: 70, isProven }, publisherMicros),
  );

test.each([true, false])("floors are drawn as often as their probability says (gain proven: %s)", (isProven) => {
  const all = draws(isProven);
  for (const [arm, step] of [
    ["held", null],
    ["shock", 69],
    ["learned", 70],
    ["shock", 71],
  ] as const) {
    const alike = all.filter((draw) => draw.arm === arm && draw.step === step);
    expect(alike.length / all.length).toBeCloseTo(alike[0]?.probability ?? 0, 1);
    expect(new Set(alike.map(({ probability }) => probability)).size).toBe(1);
  }
});

test("the hold-out stays, and a gain that is not proven leaves most requests with the publisher's floor", () => {
  const share = (isProven: boolean, ...arms: string[]) =>
    draws(isProven).filter((draw) => arms.includes(draw.arm)).length / 20_000;
  expect(share(true, "held")).toBeCloseTo(HOLD_OUT, 2);
  expect(share(true, "own")).toBe(0);
  expect(share(false, "held")).toBeCloseTo(HOLD_OUT, 2);
  expect(share(false, "learned", "shock")).toBeCloseTo(0.3, 2);
});

test("the same seed draws the same floor, never below the publisher's own", () => {
  expect(draws(true, 5_000_000)).toEqual(draws(true, 5_000_000));
  expect(Math.min(...draws(true, 5_000_000).map(({ floorMicros }) => floorMicros))).toBe(5_000_000);
});

test("a step's floor is nearest to that step", () => {
  fc.assert(fc.property(fc.integer({ min: 0, max: 160 }), (step) => stepOfFloor(floorAtStep(step)) === step));
  expect(stepOfFloor(0)).toBe(0);
});

test("a floor follows what earns more, one step at a time", () => {
  const earned = (of: (step: number) => number) =>
    new Map([67, 68, 69, 70, 71].map((step) => [step, { count: 100, sum: 100 * of(step), squares: 0 }]));
  expect(
    nextStep(
      earned((step) => step),
      70,
    ),
  ).toBe(71);
  expect(
    nextStep(
      earned((step) => -step),
      70,
    ),
  ).toBe(69);
  expect(
    nextStep(
      earned((step) => -((step - 70) ** 2)),
      70,
    ),
  ).toBe(70);
  expect(nextStep(new Map([[70, { count: 5, sum: 5, squares: 5 }]]), 70)).toBe(70);
  expect(
    nextStep(
      earned((step) => -step),
      0,
    ),
  ).toBe(0);
});
