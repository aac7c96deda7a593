import { expect, test } from "vitest";
import { testStores } from "../../platform/testing/stores.ts";
import { eventsInStore } from "./testing/model/events-in-store.ts";
import { RealBooks, eventsInMemory } from "./testing/model/real-books.ts";
import { runModel } from "./testing/model/run-model.ts";

const stores = await testStores();
const { pool } = stores.pg;

// Random sequences of traffic, bookings, refills, adjustments, statements, deductions, payouts at a hostile provider, killed processes
// and days that go by. `testing/model/invariants.ts` lists what must hold after each step.

/** Throws with the seed and the steps of the first sequence that does not hold. */
async function sequencesThatHold(real: RealBooks, sequences: number): Promise<number> {
  const failure = await runModel(real, { sequences });
  if (failure !== null) throw new Error(failure.report, { cause: failure.error });
  return sequences;
}

test("in 500 random sequences, every figure about money agrees after each step", { timeout: 1_200_000 }, async () => {
  const real = await RealBooks.open(pool, eventsInMemory());
  expect(await sequencesThatHold(real, 500)).toBe(500);
});

test("with events in the analytical store, the same holds in 10 sequences", { timeout: 300_000 }, async () => {
  const real = await RealBooks.open(pool, await eventsInStore(stores.clickhouse));
  expect(await sequencesThatHold(real, 10)).toBe(10);
});
