import type { Pool } from "pg";

/** What an advertiser can still spend, in micro-dollars: the platform owes it, so its book is in credit. */
export async function campaignBalanceOf(pool: Pool, accountId: number): Promise<number> {
  const { rows } = await pool.query<{ balance: string }>(
    `SELECT coalesce(-sum(amount_micros), 0) AS balance FROM ledger_lines
     WHERE account_id = $1 AND book = 'campaign_balance'`,
    [accountId],
  );
  return Number(rows[0]?.balance ?? 0);
}
