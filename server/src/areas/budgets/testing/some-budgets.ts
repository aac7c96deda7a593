import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { afterAll } from "vitest";
import { silentLog } from "../../../platform/log.ts";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { sleep } from "../../../platform/supervise.ts";
import { refillCampaignBalance } from "../../payments/index.ts";
import type { Hold } from "../budgets.ts";
import { budgetsArea } from "../index.ts";

export interface Limits {
  budgetMicros?: number;
  dailyMicros?: number;
}
const PLENTY = 1_000_000_000;

/** Accounts and campaigns with money, written without the areas above this one. */
export function someMoney(pool: Pool) {
  const refill = (accountId: number, amountMicros: number) =>
    inTransaction(pool, (client) =>
      refillCampaignBalance(client, {
        key: randomUUID(),
        accountId,
        amountMicros,
        reason: "A test",
        actorUserId: 1,
        at: new Date(),
      }),
    );
  return {
    refill,
    async newAccount(balanceMicros = PLENTY): Promise<number> {
      const { rows } = await pool.query<{ id: number }>(
        "INSERT INTO accounts (name, can_campaign) VALUES ('Advertiser', true) RETURNING id",
      );
      const accountId = rows[0]?.id ?? 0;
      if (balanceMicros > 0) await refill(accountId, balanceMicros);
      return accountId;
    },
    /** A campaign at $1 per thousand, without limits that matter. */
    async newCampaign(accountId: number, { budgetMicros = 0, dailyMicros = PLENTY }: Limits = {}): Promise<number> {
      const { rows } = await pool.query<{ id: number }>(
        `INSERT INTO campaigns (account_id, name, bundle_id, store_id, app_platform, format, budget_micros, bid_micros,
           daily_micros, starts_at, days, active_from, active_to, network, geo_type, countries, platforms, ios, android,
           caps, created_at)
         VALUES ($1, 'Autumn', 'com.example.tide', 'com.example.tide', 'android', 'banner', $2, 1000000, $3, now(), '{1}',
           '00:00', '23:59', 'any', 'in', '{DE}', '{android}', '{}', '{}', '[]', now()) RETURNING id`,
        [accountId, budgetMicros, dailyMicros],
      );
      return rows[0]?.id ?? 0;
    },
    async edit(campaignId: number, { budgetMicros, dailyMicros }: Limits): Promise<void> {
      await pool.query(
        `UPDATE campaigns SET budget_micros = coalesce($2, budget_micros), daily_micros = coalesce($3, daily_micros)
         WHERE id = $1`,
        [campaignId, budgetMicros ?? null, dailyMicros ?? null],
      );
    },
  };
}

/** A clock that starts at a moment and runs on, and that a test can move. */
export function movableClock(startMs: number) {
  const began = performance.now();
  const clock = { offsetMs: 0, now: () => Math.floor(startMs + performance.now() - began + clock.offsetMs) };
  return clock;
}

/** The budgets of one process; stopped after the file's last test. */
export function someBudgets(postgresUrl: string, clock: ReturnType<typeof movableClock>) {
  const budgets = budgetsArea({ postgresUrl, clock, log: silentLog, storeClock: clock });
  afterAll(() => budgets.stop?.());
  return {
    ...budgets,
    /** Holds as soon as the store has answered; the reason if it granted nothing. */
    async holdNow(campaignId: number, micros = 1000, forMs = 60_000) {
      for (;;) {
        const hold = budgets.hold(campaignId, micros, clock.now() + forMs);
        if (hold !== "lease_pending") return hold;
        await sleep(2);
      }
    },
    /** Holds after a refusal has been asked again. */
    async heldInTheEnd(campaignId: number, micros = 1000): Promise<Hold> {
      for (;;) {
        const hold = budgets.hold(campaignId, micros, clock.now() + 60_000);
        if (typeof hold !== "string") return hold;
        await sleep(5);
      }
    },
    /** Holds until nothing is granted any more. */
    async holdAll(campaignId: number, micros = 1000, forMs = 60_000): Promise<Hold[]> {
      const holds: Hold[] = [];
      for (;;) {
        const hold = await this.holdNow(campaignId, micros, forMs);
        if (typeof hold === "string") return holds;
        holds.push(hold);
      }
    },
    /** Lets time pass. */
    async tick(ms: number): Promise<void> {
      clock.offsetMs += ms;
      await budgets.returnUnheld();
    },
    spendAll: (holds: readonly Hold[]) =>
      budgets.spend(
        holds.map(({ campaignId, leaseId, micros }) => ({ campaignId, leaseId, micros, atMs: clock.now() })),
      ),
  };
}
