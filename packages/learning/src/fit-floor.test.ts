import * as fc from "fast-check";
import { expect, test } from "vitest";
import { added, aged, type Evidence, NO_EVIDENCE, sighting } from "./evidence.ts";
import { liftOf } from "./floor-lift.ts";
import { type CellFacts, type CellFloor, fitFloor, type FloorEvidence, lowestStep } from "./fit-floor.ts";
import { drawFloor, floorAtStep, HOLD_OUT, stepOfFloor } from "./learned-floor.ts";
import { seeded } from "./testing/seeded.ts";

const HOUR_MS = 3_600_000;
const OWN_MICROS = 400_000;
const FACTS: CellFacts = { ownMicros: OWN_MICROS, lowPriceMicros: 500_000, requestsPerHour: 1000 };
/** A step well above the publisher's floor. */
const STEP = 70;

const of = (mean: number, count: number): Evidence => ({ count, sum: mean * count, squares: 1.5 * mean ** 2 * count });
const row = (arm: FloorEvidence["arm"], step: number | null, probability: number, earned: Evidence): FloorEvidence => ({
  arm,
  step,
  probability,
  earned,
  recent: earned,
});
/** What a cell on trial earned: with automatic floors, and held out. */
const onTrial = (automatic: number, held: number, count = 50_000): FloorEvidence[] => [
  row("held", null, HOLD_OUT, of(held, count * HOLD_OUT)),
  row("own", null, 0.65, of(held, count * 0.65)),
  row("learned", STEP, 0.21, of(automatic, count * 0.21)),
  row("shock", STEP + 1, 0.045, of(automatic * 1.01, count * 0.045)),
  row("shock", STEP - 1, 0.045, of(automatic * 0.99, count * 0.045)),
];
const cell = (state: CellFloor["state"] = "learning"): CellFloor => ({ step: STEP, state, movedAt: 0 });

test("a cell begins where a tenth of its impressions were cheaper, and not below the publisher's floor", () => {
  expect(fitFloor(undefined, [], FACTS, 5)).toMatchObject({
    step: stepOfFloor(500_000),
    state: "learning",
    movedAt: 5,
  });
  const cheap = fitFloor(undefined, [], { ...FACTS, lowPriceMicros: 0 }, 5);
  expect(cheap.step).toBe(lowestStep(OWN_MICROS));
  expect(floorAtStep(cheap.step)).toBeLessThanOrEqual(OWN_MICROS);
});

test("a floor moves once a thousand requests have come, a step at a time, towards what earns more", () => {
  expect(fitFloor(cell(), onTrial(1000, 1000), FACTS, HOUR_MS - 1)).toMatchObject({ step: STEP, movedAt: 0 });
  expect(fitFloor(cell(), onTrial(1000, 1000), FACTS, HOUR_MS)).toMatchObject({ step: STEP + 1, movedAt: HOUR_MS });
  const rare = { ...FACTS, requestsPerHour: 10 };
  expect(fitFloor(cell(), onTrial(1000, 1000), rare, 99 * HOUR_MS)).toMatchObject({ step: STEP, movedAt: 0 });
});

test("a proven gain holds; once a loss is possible again, the cell falls back until a gain is proven anew", () => {
  const gain = onTrial(2000, 1000);
  const unclear = onTrial(1001, 1000);
  expect(fitFloor(cell(), unclear, FACTS, 1).state).toBe("learning");
  expect(fitFloor(cell(), gain, FACTS, 1).state).toBe("holds");
  expect(fitFloor(cell("holds"), unclear, FACTS, 1).state).toBe("fell_back");
  expect(fitFloor(cell("fell_back"), unclear, FACTS, 1).state).toBe("fell_back");
  expect(fitFloor(cell("fell_back"), gain, FACTS, 1).state).toBe("holds");
});

test("a certain loss takes the floor down to the publisher's at once", () => {
  const fitted = fitFloor(cell("holds"), onTrial(500, 1000), FACTS, 1);
  expect(fitted).toMatchObject({ state: "fell_back", step: lowestStep(OWN_MICROS) });
});

test("whatever was seen, a fitted floor is never below the publisher's, and holds only where no loss is possible", () => {
  const micros = fc.integer({ min: 0, max: 20_000_000 });
  const rows = fc.array(
    fc
      .record({
        arm: fc.constantFrom("held", "own", "learned", "shock"),
        step: fc.integer({ min: 0, max: 140 }),
        probability: fc.double({ min: 0.01, max: 1, noNaN: true }),
        count: fc.integer({ min: 0, max: 100_000 }),
        mean: micros,
      })
      .map(({ arm, step, probability, count, mean }) =>
        row(arm, arm === "held" || arm === "own" ? null : step, probability, of(mean, count)),
      ),
    { maxLength: 12 },
  );
  const before = fc.option(
    fc.record({
      step: fc.integer({ min: 0, max: 140 }),
      state: fc.constantFrom("learning", "holds", "fell_back"),
      movedAt: fc.constant(0),
    }),
    { nil: undefined },
  );
  fc.assert(
    fc.property(before, rows, micros, micros, (known, seen, ownMicros, lowPriceMicros) => {
      const facts = { ...FACTS, ownMicros, lowPriceMicros };
      const { step, state, automatic, held } = fitFloor(known, seen, facts, HOUR_MS);
      expect(step).toBeGreaterThanOrEqual(lowestStep(ownMicros));
      expect(state === "holds").toBe(liftOf(automatic, held).possible.low > 0);
      const draw = drawFloor({ seed: "any", impId: "1" }, { step, isProven: state === "holds" }, ownMicros);
      expect(draw.floorMicros).toBeGreaterThanOrEqual(ownMicros);
      expect(Number.isSafeInteger(draw.floorMicros)).toBe(true);
    }),
  );
});

test("good days with more automatic floors do not look like a gain: draws weigh what they weigh on trial", () => {
  const random = seeded("days");
  const rows = new Map<string, FloorEvidence>();
  // Later days earn twice as much, and have automatic floors in 95% of requests, which change nothing.
  for (let nth = 0; nth < 60_000; nth++) {
    const isLater = nth >= 30_000;
    const { arm, step, probability } = drawFloor(
      { seed: `request ${nth}`, impId: "1" },
      { step: STEP, isProven: isLater },
      OWN_MICROS,
    );
    const name = `${arm} ${step} ${probability}`;
    const known = rows.get(name) ?? row(arm, step, probability, NO_EVIDENCE);
    const earned = added(known.earned, sighting((isLater ? 2000 : 1000) * random.factor(0.5)));
    rows.set(name, { ...known, earned, recent: aged(earned, 0, 1) });
  }
  const { automatic, held } = fitFloor(cell(), [...rows.values()], FACTS, 1);
  const { lift, possible } = liftOf(automatic, held);
  expect(Math.abs(lift ?? 1)).toBeLessThan(0.05);
  expect(possible.low).toBeLessThan(0);
});
