import { expect, test } from "vitest";
import { testPostgres } from "../../platform/testing/stores.ts";
import { BrokenInvariant, INVARIANTS } from "./testing/model/invariants.ts";
import { FAULTS } from "./testing/model/faults.ts";
import { RealBooks, eventsInMemory } from "./testing/model/real-books.ts";
import { runModel } from "./testing/model/run-model.ts";

/** Faults that show in rare sequences take some hundred; the seed is fixed, so that the same ones run each time. */
const SEQUENCES = 500;
const SEED = 7;

// Each has a database of its own, whose tables and functions it may break.
for (const fault of FAULTS) {
  const { pool } = await testPostgres();
  test(`the model finds ${fault.name}`, { timeout: 300_000 }, async () => {
    if (fault.sql !== undefined) await pool.query(fault.sql);
    const real = await RealBooks.open(pool, eventsInMemory(), fault);
    const { among } = fault;
    const failure = await runModel(real, {
      sequences: SEQUENCES,
      seed: SEED,
      isQuick: true,
      ...(among && { among }),
    });
    const found = failure?.error;
    if (!(found instanceof BrokenInvariant)) expect.fail(failure?.report ?? "the model has not found it");
    expect(fault.breaks).toContain(found.invariant);
  });
}

test("each invariant has a planted fault that breaks it", () => {
  expect(INVARIANTS.filter((invariant) => !FAULTS.some(({ breaks }) => breaks.includes(invariant)))).toEqual([]);
});
