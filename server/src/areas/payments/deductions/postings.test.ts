import { randomUUID } from "node:crypto";
import { DEDUCTION_STATES, type Verdict } from "@millrace/contract";
import { addDays, dayOf } from "@millrace/units";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Problem } from "../../../platform/http/problem.ts";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { testPostgres } from "../../../platform/testing/stores.ts";
import { bookedSales } from "../booked-sales.ts";
import { publisherBalanceOf } from "../balances.ts";
import { earn, newApp } from "../../../testing/deductions/some-earnings.ts";
import { answerDeduction } from "./answer-deduction.ts";
import { earnedOn } from "./earned.ts";
import { listDeductions } from "./list-deductions.ts";
import { noteDeduction } from "./note-deduction.ts";

const { pool } = await testPostgres();
const NOW = Date.UTC(2026, 10, 20, 12);
const clock = { now: () => NOW };
const DAYS = [addDays(dayOf(NOW), -2), addDays(dayOf(NOW), -1)] as const;
const EARNED = { aurora: 700, borealis: 300 } as const;

async function newPublisher(): Promise<number> {
  const { rows } = await pool.query<{ id: number }>("INSERT INTO accounts (name) VALUES ('Studio') RETURNING id");
  return rows[0]?.id ?? expect.fail();
}

/** True unless it is refused, in which case it has changed nothing. */
async function isDone(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    (error: unknown) => {
      if (error instanceof Problem) return false;
      throw error;
    },
  );
}

const Note = fc.record({
  app: fc.nat(1),
  day: fc.constantFrom(...DAYS),
  provider: fc.constantFrom("aurora", "borealis", null),
  amountMicros: fc.integer({ min: 1, max: 800 }),
});
/** What becomes of it: nothing, an answer, or a dispute before the answer. */
const Fate = fc.record({
  disputed: fc.boolean(),
  verdict: fc.constantFrom<Verdict | null>("upheld", "reversed", null),
});

test("whatever is noted, disputed and answered, the postings are the unreversed deductions, and no more than was earned", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(Note, Fate), { minLength: 1, maxLength: 12 }), async (steps) => {
      const accountId = await newPublisher();
      const apps = [await newApp(pool, accountId), await newApp(pool, accountId)];
      for (const { id: appId } of apps) {
        for (const day of DAYS) {
          for (const [provider, revenueMicros] of Object.entries(EARNED))
            await earn(pool, { accountId, appId, day, provider, revenueMicros });
        }
      }
      const before = await publisherBalanceOf(pool, accountId);
      const sales = await bookedSales(pool, { ds: DAYS[0], de: DAYS[1] });
      const standing = new Map<string, number>();
      for (const [{ app, ...note }, { disputed, verdict }] of steps) {
        const noted = inTransaction(pool, (client) =>
          noteDeduction(client, {
            ...note,
            key: randomUUID(),
            accountId,
            appId: apps[app]?.id ?? expect.fail(),
            reason: "invalid_traffic",
            explanation: "A test",
            auctions: [],
            actorUserId: 1,
            at: new Date(NOW),
          }),
        );
        if (!(await isDone(noted))) continue;
        const { uuid } = await noted;
        standing.set(uuid, note.amountMicros);
        if (disputed)
          await pool.query("UPDATE deductions SET state = 'disputed', disputed_at = now() WHERE uuid = $1", [uuid]);
        if (verdict === null) continue;
        const about = { uuid, verdict, answer: "Counted again", actorUserId: 1, at: new Date(NOW) };
        const isAnswered = await isDone(inTransaction(pool, (client) => answerDeduction(client, about)));
        expect(isAnswered).toBe(disputed || verdict === "reversed");
        if (isAnswered && verdict === "reversed") standing.delete(uuid);
      }
      const held = [...standing.values()].reduce((sum, micros) => sum + micros, 0);
      const { rows } = await pool.query<{ sum: string; adjusted: string; kinds: string }>(
        `SELECT coalesce(sum(l.amount_micros) FILTER (WHERE l.book = 'publisher_balance'), 0) AS sum,
                coalesce(sum(l.amount_micros) FILTER (WHERE l.book = 'adjustments'), 0) AS adjusted
         FROM ledger_lines l JOIN ledger_postings p ON p.id = l.posting_id
         WHERE p.kind = 'deduction' AND l.app_id = ANY($1)`,
        [apps.map(({ id }) => id)],
      );
      expect(rows).toEqual([{ sum: String(held), adjusted: String(-held) }]);
      expect(await publisherBalanceOf(pool, accountId)).toBe(before - held);
      const list = await listDeductions({ pool, clock, providerNames: async () => new Map() }, accountId, {
        p: 0,
        state: "all",
      });
      expect(list.held_back).toBe(held);
      for (const day of DAYS) {
        for (const { id } of apps) {
          const earned = (await earnedOn(pool, { accountId, day })).filter(({ appId }) => appId === id);
          const sum = (of: "earnedMicros" | "deductedMicros") => earned.reduce((total, one) => total + one[of], 0n);
          expect(sum("deductedMicros") <= sum("earnedMicros")).toBe(true);
          for (const one of earned) if (one.provider !== "") expect(one.deductedMicros <= one.earnedMicros).toBe(true);
        }
      }
      // Accrual and the nightly count see sales only.
      expect(await bookedSales(pool, { ds: DAYS[0], de: DAYS[1] })).toEqual(sales);
    }),
    { numRuns: 20 },
  );
});

test("the store refuses a state without its moments, and a deduction without a partner for another reason", async () => {
  const accountId = await newPublisher();
  const app = await newApp(pool, accountId);
  await earn(pool, { accountId, appId: app.id, day: DAYS[0], provider: "aurora", revenueMicros: 10 });
  const { uuid } = await inTransaction(pool, (client) =>
    noteDeduction(client, {
      key: randomUUID(),
      accountId,
      appId: app.id,
      provider: "aurora",
      day: DAYS[0],
      reason: "clawback",
      amountMicros: 1,
      explanation: "A test",
      auctions: [],
      actorUserId: 1,
      at: new Date(NOW),
    }),
  );
  for (const state of DEDUCTION_STATES.filter((one) => one !== "noted"))
    await expect(pool.query("UPDATE deductions SET state = $2 WHERE uuid = $1", [uuid, state])).rejects.toThrow(
      "check",
    );
  await expect(pool.query("UPDATE deductions SET provider = '' WHERE uuid = $1", [uuid])).rejects.toThrow("check");
});
