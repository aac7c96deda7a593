import type { Pool, PoolClient } from "pg";

/** An advertiser's remaining balance in micro-dollars: the platform owes it, so the ledger account is in credit. */
export async function campaignBalanceOf(pool: Pool | PoolClient, accountId: number): Promise<number> {
  return (await campaignBalancesOf(pool, [accountId])).get(accountId) ?? 0;
}

/** The same for several accounts; those without postings are left out. */
export async function campaignBalancesOf(
  pool: Pool | PoolClient,
  accountIds: readonly number[],
): Promise<Map<number, number>> {
  const { rows } = await pool.query<{ accountId: number; balance: string }>(
    `SELECT account_id AS "accountId", -sum(amount_micros) AS balance FROM ledger_lines
     WHERE account_id = ANY($1) AND book = 'campaign_balance' GROUP BY account_id`,
    [accountIds],
  );
  return new Map(rows.map(({ accountId, balance }) => [accountId, Number(balance)]));
}
