import { impressionMicros } from "@millrace/units";
import type { Pool, PoolClient } from "pg";

/** What a campaign has spent, and which limits leave less than one impression at its bid. */
export interface BudgetState {
  todayMicros: number;
  totalMicros: number;
  /** Leased to serving processes and not spent. */
  leasedMicros: number;
  isBudgetSpent: boolean;
  isDailyBudgetSpent: boolean;
  isBalanceSpent: boolean;
}

interface Row {
  id: number;
  bid: string;
  budget: string;
  daily: string;
  today: string;
  total: string;
  leased: string;
  balance: string;
}

/** The states of campaigns on the UTC day of a moment, by id; deleted campaigns have one too. */
export async function stateOf(
  db: Pool | PoolClient,
  campaignIds: readonly number[],
  at: Date,
): Promise<Map<number, BudgetState>> {
  const { rows } = await db.query<Row>(
    `WITH asked AS MATERIALIZED (SELECT * FROM campaigns WHERE id = ANY($1)), leases AS (
       SELECT campaign_id, sum(amount_micros - spent_micros) AS micros FROM budget_leases
       WHERE account_id IN (SELECT account_id FROM asked) AND expires_at > $2 GROUP BY campaign_id
     ), balances AS (
       SELECT o.account_id, ledger_balance(o.account_id) - coalesce(a.spent_micros, 0) AS micros
       FROM (SELECT DISTINCT account_id FROM asked) o LEFT JOIN account_budgets a ON a.account_id = o.account_id
     )
     SELECT c.id, c.bid_micros AS bid, c.budget_micros AS budget, c.daily_micros AS daily,
            coalesce(d.spent_micros, 0) AS today, coalesce(b.spent_micros, 0) AS total,
            coalesce(l.micros, 0) AS leased, p.micros AS balance
     FROM asked c JOIN balances p ON p.account_id = c.account_id
     LEFT JOIN campaign_budgets b ON b.campaign_id = c.id
     LEFT JOIN campaign_days d ON d.campaign_id = c.id AND d.day = ($2::timestamptz AT TIME ZONE 'UTC')::date
     LEFT JOIN leases l ON l.campaign_id = c.id`,
    [campaignIds, at],
  );
  return new Map(
    rows.map((row) => {
      const price = impressionMicros(Number(row.bid));
      const [budget, daily, today, total] = [row.budget, row.daily, row.today, row.total].map(Number) as [
        number,
        number,
        number,
        number,
      ];
      return [
        row.id,
        {
          todayMicros: today,
          totalMicros: total,
          leasedMicros: Number(row.leased),
          isBudgetSpent: budget > 0 && budget - total < price,
          isDailyBudgetSpent: daily - today < price,
          isBalanceSpent: Number(row.balance) < price,
        },
      ];
    }),
  );
}
