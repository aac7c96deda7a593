import type { Pool, PoolClient } from "pg";

/** What was spent before, by limit; see `overspent`. */
export type SpentBefore = Map<string, number>;

/** What is spent of each limit of an account: its balance, its campaigns' budgets, which may be unlimited (0), and their days. */
async function spentOfLimits(db: Pool | PoolClient, accountId: number) {
  const { rows } = await db.query<{ limit: string; spent: string; most: string | null }>(
    `SELECT 'budget of ' || c.id AS limit, b.spent_micros AS spent, nullif(c.budget_micros, 0) AS most
     FROM campaigns c JOIN campaign_budgets b ON b.campaign_id = c.id WHERE c.account_id = $1
     UNION ALL SELECT 'daily budget of ' || c.id || ' on ' || d.day, d.spent_micros, c.daily_micros
     FROM campaigns c JOIN campaign_days d ON d.campaign_id = c.id WHERE c.account_id = $1
     UNION ALL SELECT 'balance', spent_micros, ledger_balance($1) FROM account_budgets WHERE account_id = $1`,
    [accountId],
  );
  return rows.map(({ limit, spent, most }) => ({ limit, spent: Number(spent), most: Number(most ?? Infinity) }));
}

/**
 * Micro-dollars over the limits of an account: spent over a limit, and over what had been spent when it was cut. Remembers
 * what is spent.
 */
export async function overspent(db: Pool | PoolClient, accountId: number, before: SpentBefore) {
  const over: { limit: string; micros: number }[] = [];
  for (const { limit, spent, most } of await spentOfLimits(db, accountId)) {
    const micros = spent - Math.max(most, before.get(limit) ?? 0);
    if (micros > 0) over.push({ limit, micros });
    before.set(limit, spent);
  }
  return over;
}

/** Running sums that are not the sum of their parts. */
export async function sumsThatDiffer(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ sum: string }>(
    `WITH leases AS (
       SELECT campaign_id, sum(amount_micros - spent_micros) AS micros FROM budget_leases GROUP BY campaign_id
     ), days AS (SELECT campaign_id, sum(spent_micros) AS micros FROM campaign_days GROUP BY campaign_id)
     SELECT 'leased of campaign ' || b.campaign_id AS sum FROM campaign_budgets b LEFT JOIN leases l USING (campaign_id)
     WHERE b.leased_micros <> coalesce(l.micros, 0)
     UNION ALL SELECT 'spent of campaign ' || b.campaign_id FROM campaign_budgets b LEFT JOIN days d USING (campaign_id)
     WHERE b.spent_micros <> coalesce(d.micros, 0)
     UNION ALL SELECT 'account ' || a.account_id FROM account_budgets a LEFT JOIN campaign_budgets b USING (account_id)
     GROUP BY a.account_id
     HAVING a.spent_micros <> coalesce(sum(b.spent_micros), 0) OR a.leased_micros <> coalesce(sum(b.leased_micros), 0)`,
  );
  return rows.map(({ sum }) => sum);
}
