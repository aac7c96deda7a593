import type { Pool } from "pg";
import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { inTransaction } from "../../../../platform/postgres/in-transaction.ts";
import { adjustPublisherBalance } from "../../adjust-balance.ts";
import { answerDeduction } from "../../deductions/answer-deduction.ts";
import { noteDeduction } from "../../deductions/note-deduction.ts";
import { followPayouts, runPayouts } from "../run-payouts.ts";
import { somePayouts } from "./some-payouts.ts";
import { someSales } from "./some-sales.ts";

/**
 * A publisher with an app, in a year at whose payout days everything is paid. Days are `10-20`, amounts whole dollars. The months of other
 * tests are closed, so that each needs a year of its own.
 */
export async function aPayoutYear(pool: Pool, year: number) {
  const books = someSales(pool);
  const admin = await pool.query<{ id: number }>("INSERT INTO users (email, name) VALUES ($1, 'Ada') RETURNING id", [
    `admin-${year}@example.com`,
  ]);
  const actorUserId = admin.rows[0]?.id ?? expect.fail();
  const world = somePayouts(pool, `${year}-11-15T06:00:00Z`);
  world.provider.answers.ask = (payoutId) => ({ is: "paid", reference: payoutId });
  const accountId = await world.newPublisher();
  const appId = await books.newApp(accountId, "Tide");
  const day = (rest: string) => `${year}-${rest}`;
  return {
    ...world,
    accountId,
    day,
    /** Runs payouts on a day, and resolves with all of them. */
    payAt: async (rest: string) => {
      world.moveTo(`${day(rest)}T06:00:00Z`);
      await runPayouts(world.deps);
      await followPayouts(world.deps);
      return world.payoutsOf(accountId);
    },
    sell: (on: string, amount: number, provider = "aurora") => {
      const revenue = BigInt(amount) * 1_000_000n;
      return books.sell(accountId, day(on), { appId, provider, gross: revenue, revenue });
    },
    deduct: (of: string, on: string, amount: number) =>
      inTransaction(pool, (client) =>
        noteDeduction(client, {
          key: randomUUID(),
          accountId,
          appId,
          provider: "aurora",
          day: day(of),
          reason: "clawback",
          amountMicros: amount * 1_000_000,
          explanation: "A test",
          auctions: [],
          actorUserId,
          at: new Date(`${day(on)}T12:00:00Z`),
        }),
      ),
    giveBack: (uuid: string, on: string) =>
      inTransaction(pool, (client) =>
        answerDeduction(client, {
          uuid,
          verdict: "reversed",
          answer: "It was real",
          actorUserId,
          at: new Date(`${day(on)}T12:00:00Z`),
        }),
      ),
    give: (on: string, amount: number) =>
      inTransaction(pool, (client) =>
        adjustPublisherBalance(client, {
          key: randomUUID(),
          kind: amount > 0 ? "bonus" : "correction",
          accountId,
          amountMicros: amount * 1_000_000,
          reason: "A test",
          actorUserId,
          at: new Date(`${day(on)}T12:00:00Z`),
        }),
      ),
  };
}
