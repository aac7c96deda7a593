import { type BalanceEntry, HISTORY_PER_PAGE } from "@millrace/contract";
import type { Pool } from "pg";
import type { Clock } from "../../platform/clock.ts";
import { paged } from "../../platform/postgres/paged.ts";

interface Row {
  at: Date;
  day: string | null;
  type: BalanceEntry["type"];
  amount: string;
  balance: string;
  comment: string;
}

/**
 * Postings of the balance, and a row for each day's spend at the end of that day: `$1` is the account, `$2` the current
 * moment. Everything together is the balance, as `campaignBalanceOf` has it.
 */
const ENTRIES = `(
  SELECT e.*, sum(e.amount) OVER (ORDER BY e.at, e.nth) AS balance FROM (
    SELECT p.at, p.for_day AS day, p.kind AS type, p.reason AS comment, -l.amount_micros AS amount, p.id AS nth
    FROM ledger_postings p JOIN ledger_lines l ON l.posting_id = p.id
    WHERE l.account_id = $1 AND l.book = 'campaign_balance'
    UNION ALL
    SELECT least($2, (d.day + 1)::timestamp AT TIME ZONE 'UTC' - interval '1 ms'), d.day, 'spend',
           string_agg(c.name, ', ' ORDER BY d.spent_micros DESC, c.id), -sum(d.spent_micros), 0
    FROM campaign_days d JOIN campaign_budgets b USING (campaign_id) JOIN campaigns c ON c.id = d.campaign_id
    WHERE b.account_id = $1 AND d.spent_micros > 0
    GROUP BY d.day
  ) e
) entries`;
const COLUMNS = "at, day::text AS day, type, amount, balance, comment";

/** A page of an advertiser's balance history, newest first; `p` counts from 0. */
export async function readBalanceHistory(
  { pool, clock }: { pool: Pool; clock: Clock },
  accountId: number,
  p: number,
): Promise<{ history: BalanceEntry[]; pager: Awaited<ReturnType<typeof paged>>["pager"] }> {
  const query = { columns: COLUMNS, from: ENTRIES, orderBy: "at DESC, nth DESC" };
  const { rows, pager } = await paged<Row>(pool, query, [accountId, new Date(clock.now())], {
    p,
    perPage: HISTORY_PER_PAGE,
  });
  return {
    history: rows.map(({ at, amount, balance, ...entry }) => ({
      ...entry,
      ctime: at.toISOString(),
      amount: Number(amount),
      balance: Number(balance),
    })),
    pager,
  };
}
