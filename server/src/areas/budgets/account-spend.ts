import type { Pool, PoolClient } from "pg";

export interface AccountSpend {
  /** What is left to spend. */
  balanceMicros: number;
  /** What the account's campaigns ever spent, deleted ones included. */
  spentMicros: number;
  /** The UTC day of the first spend; null before it. */
  since: string | null;
}

/** What an advertiser has and has spent, as it was billed. */
export async function accountSpend(db: Pool | PoolClient, accountId: number): Promise<AccountSpend> {
  const { rows } = await db.query<{ balance: string; spent: string; since: string | null }>(
    `SELECT ledger_balance($1) - coalesce((SELECT spent_micros FROM account_budgets WHERE account_id = $1), 0) AS balance,
            coalesce(sum(d.spent_micros), 0) AS spent, to_char(min(d.day), 'YYYY-MM-DD') AS since
     FROM campaign_budgets b JOIN campaign_days d USING (campaign_id) WHERE b.account_id = $1 AND d.spent_micros > 0`,
    [accountId],
  );
  const { balance = "0", spent = "0", since = null } = rows[0] ?? {};
  return { balanceMicros: Number(balance), spentMicros: Number(spent), since };
}
