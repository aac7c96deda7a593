import type { Pool, PoolClient } from "pg";

/**
 * An advertiser's remaining balance in micro-dollars: what the platform owes, so that the ledger account is in credit,
 * less what campaigns have spent (`account_budgets`, which the budgets area writes).
 */
export async function campaignBalanceOf(pool: Pool | PoolClient, accountId: number): Promise<number> {
  return (await campaignBalancesOf(pool, [accountId])).get(accountId) ?? 0;
}

/** The same for several accounts; those without postings are left out. */
export async function campaignBalancesOf(
  pool: Pool | PoolClient,
  accountIds: readonly number[],
): Promise<Map<number, number>> {
  const { rows } = await pool.query<{ accountId: number; balance: string }>(
    `SELECT l.account_id AS "accountId", -sum(l.amount_micros) - coalesce(min(a.spent_micros), 0) AS balance
     FROM ledger_lines l LEFT JOIN account_budgets a ON a.account_id = l.account_id
     WHERE l.account_id = ANY($1) AND l.book = 'campaign_balance' GROUP BY l.account_id`,
    [accountIds],
  );
  return new Map(rows.map(({ accountId, balance }) => [accountId, Number(balance)]));
}

/** What was taken off a publisher's balance into payouts that have not left the platform yet, in micro-dollars. */
export async function onItsWayTo(pool: Pool | PoolClient, accountId: number): Promise<number> {
  const { rows } = await pool.query<{ micros: string }>(
    "SELECT coalesce(-sum(amount_micros), 0) AS micros FROM ledger_lines WHERE account_id = $1 AND book = 'payouts_due'",
    [accountId],
  );
  return Number(rows[0]?.micros ?? 0);
}

/** What the platform owes a publisher, in micro-dollars: booked up to the last day that is over, less what was paid out. */
export async function publisherBalanceOf(pool: Pool | PoolClient, accountId: number): Promise<number> {
  return (await publisherBalancesOf(pool, [accountId])).get(accountId) ?? 0;
}

/** The same for several accounts; those without postings are left out. */
export async function publisherBalancesOf(
  pool: Pool | PoolClient,
  accountIds: readonly number[],
): Promise<Map<number, number>> {
  const { rows } = await pool.query<{ accountId: number; balance: string }>(
    `SELECT account_id AS "accountId", -sum(amount_micros) AS balance FROM ledger_lines
     WHERE account_id = ANY($1) AND book = 'publisher_balance' GROUP BY account_id`,
    [accountIds],
  );
  return new Map(rows.map(({ accountId, balance }) => [accountId, Number(balance)]));
}
