import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { inTransaction } from "../../platform/postgres/in-transaction.ts";
import { refillCampaignBalance } from "../../areas/payments/index.ts";

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
