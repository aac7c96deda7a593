import { expect, onTestFinished, test } from "vitest";
import { inTransaction } from "../../platform/postgres/in-transaction.ts";
import { sleep } from "../../platform/waiting.ts";
import { testPostgres } from "../../platform/testing/stores.ts";
import { stateOf } from "./budget-state.ts";
import { type FastClock, clockOf } from "../../testing/budgets/fast-clock.ts";
import { Holders } from "../../testing/budgets/holders.ts";
import { type SpentBefore, overspent, sumsThatDiffer } from "../../testing/budgets/money-faults.ts";
import { movableClock, someBudgets } from "./testing/some-budgets.ts";
import { someMoney } from "../../testing/budgets/some-money.ts";

const pg = await testPostgres();
const { pool } = pg;
const { newAccount, newCampaign, refill } = someMoney(pool);

const RUN_MS = 8000;
const PRICE = 1000;
const upTo = (most: number) => Math.floor(Math.random() * most);

test(
  "4 processes never spend over a limit while limits change, a day ends and one is killed",
  { timeout: 60_000 },
  async () => {
    const accountId = await newAccount(200_000);
    const campaigns = await Promise.all(
      [0, 100_000, 500_000].map((budgetMicros) => newCampaign(accountId, { budgetMicros, dailyMicros: 150_000 })),
    );
    const holders = new Holders({ url: pg.url, campaigns, atOnce: 4 });
    onTestFinished(() => holders.kill());
    await Promise.all(Array.from({ length: 4 }, () => holders.start()));
    // Five minutes a second: midnight comes after four seconds, and leases expire during the run.
    const fast: FastClock = { startMs: Date.parse("2026-03-01T23:40:00Z"), atMs: Date.now(), factor: 300 };
    holders.begin(fast);

    const before: SpentBefore = new Map();
    const change = () =>
      inTransaction(pool, async (client) => {
        await client.query("UPDATE campaigns SET budget_micros = $2, daily_micros = $3 WHERE id = $1", [
          campaigns[upTo(3)],
          upTo(2) * upTo(600_000),
          1 + upTo(300_000),
        ]);
        // What is spent when the limit is cut: the row's lock keeps more from being spent until the commit.
        await overspent(client, accountId, before);
      });
    const until = Date.now() + RUN_MS;
    let killed = false;
    for (let looks = 0; Date.now() < until; looks++) {
      expect(await overspent(pool, accountId, before)).toEqual([]);
      if (looks % 20 === 10) await change();
      if (looks % 50 === 25) await refill(accountId, 1 + upTo(50_000));
      if (!killed && Date.now() > until - RUN_MS / 2) {
        killed = true;
        await holders.all[0]?.kill();
        await holders.start();
      }
      await sleep(10);
    }
    await holders.stop();
    expect(await overspent(pool, accountId, before)).toEqual([]);
    expect(await sumsThatDiffer(pool)).toEqual([]);
    const { rows } = await pool.query<{ spent: number; days: number }>(
      `SELECT spent_micros::int AS spent, (SELECT count(DISTINCT day)::int FROM campaign_days) AS days
     FROM account_budgets WHERE account_id = $1`,
      [accountId],
    );
    // The killed process could not tell of its last impressions.
    const told = holders.all.reduce((sum, { counts }) => sum + counts.billedMicros, 0);
    expect([rows[0]?.days, (rows[0]?.spent ?? 0) >= told, told > 100_000]).toEqual([2, true, true]);

    // Once all leases have expired, everything that is left can be spent, to the last price.
    await refill(accountId, 10_000_000);
    const clock = movableClock(clockOf(fast).now() + 40 * 60_000);
    const last = someBudgets(pg.url, clock);
    for (const campaign of campaigns) {
      const state = () => stateOf(pool, [campaign], new Date(clock.now())).then((states) => states.get(campaign));
      expect((await state())?.leasedMicros).toBe(0);
      const results = await last.spendAll(await last.holdAll(campaign, PRICE));
      expect(results.every(Boolean)).toBe(true);
      expect(await state()).toMatchObject({ leasedMicros: expect.any(Number) as number });
      const at = await state();
      expect(at?.isBudgetSpent === true || at?.isDailyBudgetSpent === true).toBe(true);
    }
    expect(await overspent(pool, accountId, before)).toEqual([]);
  },
);
