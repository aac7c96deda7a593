import type { Pool } from "pg";
import type { ExpectedPayout } from "./expected-books.ts";

/** What the store holds, read without the platform's code. Amounts are text. */
export interface Observed {
  /** References of postings that do not balance, or have less than two lines. */
  crooked: string[];
  /** `book account` to its sum; debits are positive. */
  books: Record<string, string>;
  /** What is booked of sales: `day app provider campaign` to `gross revenue`. */
  sales: Record<string, string>;
  /** Spend that was given back: `campaign day` to its sum. */
  returned: Record<string, string>;
  /** What campaigns have spent: `campaign day`. */
  spent: Record<string, string>;
  accountSpent: string;
  leased: string;
  /** A digest of each month's postings, and of those up to the one that was the last before. */
  months: Record<string, string>;
  before: string | null;
  whole: string | null;
  last: string;
  closed: string[];
  payouts: ExpectedPayout[];
  /** Payouts of each account and month that has several. */
  doubled: string[];
  /** With `accepted`, if an admin has accepted it. */
  drifts: Record<string, string>;
  /** What statements have changed: `month day app provider`. */
  settled: Record<string, string>;
  deductions: Record<string, string>;
}

const POSTINGS = `
  SELECT p.id, p.on_day, p.for_day, p.kind, p.reference, p.reason,
         string_agg(concat_ws(' ', l.book, l.account_id, l.amount_micros, l.app_id, l.provider, l.campaign_id), ',' ORDER BY l.line) AS lines,
         coalesce(sum(l.amount_micros), 0) AS sum, count(l.*) AS count
  FROM ledger_postings p LEFT JOIN ledger_lines l ON l.posting_id = p.id GROUP BY p.id`;
const DIGEST = "md5(string_agg(concat_ws(' ', id, on_day, for_day, kind, reference, reason, lines), '|' ORDER BY id))";
const map = (key: string, value: string, from: string) =>
  `(SELECT coalesce(json_object_agg(${key}, ${value}), '{}') FROM ${from})`;
const list = (value: string, from: string) => `(SELECT coalesce(json_agg(${value}), '[]') FROM ${from})`;

const SQL = `
  WITH postings AS MATERIALIZED (${POSTINGS}),
  sales AS (
    SELECT concat_ws(' ', p.for_day, l.app_id, l.provider, coalesce(l.campaign_id, 0)) AS key,
           coalesce(sum(l.amount_micros) FILTER (WHERE l.book IN ('partner_receivable', 'campaign_costs')), 0) AS gross,
           coalesce(-sum(l.amount_micros) FILTER (WHERE l.book = 'publisher_balance'), 0) AS revenue
    FROM ledger_postings p JOIN ledger_lines l ON l.posting_id = p.id WHERE p.kind = 'accrual' GROUP BY 1
  ), returned AS (
    SELECT concat_ws(' ', l.campaign_id, p.for_day) AS key, sum(l.amount_micros) AS micros
    FROM ledger_postings p JOIN ledger_lines l ON l.posting_id = p.id
    WHERE p.kind = 'return' AND l.book = 'campaign_costs' GROUP BY 1
  ), settled AS (
    SELECT concat_ws(' ', to_char(p.on_day, 'YYYY-MM'), p.for_day, l.app_id, l.provider) AS key, sum(l.amount_micros) AS micros
    FROM ledger_postings p JOIN ledger_lines l ON l.posting_id = p.id
    WHERE p.kind = 'statement' AND l.book = 'partner_receivable' GROUP BY 1
  ), books AS (
    SELECT concat_ws(' ', book, account_id) AS key, sum(amount_micros) AS micros FROM ledger_lines GROUP BY 1
  )
  SELECT json_build_object(
    'crooked', ${list("reference", "postings WHERE sum <> 0 OR count < 2")},
    'books', ${map("key", "micros::text", "books WHERE micros <> 0")},
    'sales', ${map("key", "concat_ws(' ', gross, revenue)", "sales WHERE gross <> 0 OR revenue <> 0")},
    'returned', ${map("key", "micros::text", "returned WHERE micros <> 0")},
    'spent', ${map("concat_ws(' ', campaign_id, day)", "spent_micros::text", "campaign_days WHERE spent_micros <> 0")},
    'accountSpent', (SELECT coalesce(sum(spent_micros), 0)::text FROM account_budgets),
    'leased', (SELECT coalesce(sum(leased_micros), 0)::text FROM account_budgets),
    'months', ${map("month", "digest", `(SELECT to_char(on_day, 'YYYY-MM') AS month, ${DIGEST} AS digest FROM postings GROUP BY 1) m`)},
    'before', (SELECT ${DIGEST} FROM postings WHERE id <= $1),
    'whole', (SELECT ${DIGEST} FROM postings),
    'last', (SELECT coalesce(max(id), 0)::text FROM postings),
    'closed', ${list("to_char(month, 'YYYY-MM')", "closed_months")},
    'payouts', ${list("json_build_object('id', id, 'accountId', account_id, 'month', to_char(period, 'YYYY-MM'), 'amount', amount_micros::text, 'state', state)", "payouts")},
    'doubled', ${list("key", "(SELECT concat_ws(' ', account_id, period) AS key FROM payouts GROUP BY 1 HAVING count(*) > 1) d")},
    'drifts', ${map("concat_ws(' ', day, account_id, what)", "concat_ws(' ', counted_micros, booked_micros, CASE WHEN accepted_at IS NOT NULL THEN 'accepted' END)", "ledger_drifts")},
    'settled', ${map("key", "micros::text", "settled WHERE micros <> 0")},
    'deductions', ${map("uuid", "concat_ws(' ', state, amount_micros)", "deductions")}
  ) AS observed`;

/** `last` is the last posting that was seen before. */
export async function observe(pool: Pool, last: string): Promise<Observed> {
  const { rows } = await pool.query<{ observed: Observed }>({ name: "observe", text: SQL, values: [last] });
  if (!rows[0]) throw new Error("a query without a table gives one row");
  return rows[0].observed;
}
