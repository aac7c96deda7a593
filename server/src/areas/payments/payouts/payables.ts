import type { PaymentBlock } from "@millrace/contract";
import { wholeCents } from "@millrace/units";
import type { Pool, PoolClient } from "pg";
import { IS_OWNER } from "../../../platform/postgres/account-owner.ts";
import { afterMonth } from "./months.ts";

/** What an account would be paid for a month, and what stands against it. */
export interface Payable {
  accountId: number;
  /** What was owed at the month's end, less what was taken of it since, in whole cents; may be negative. */
  amountMicros: bigint;
  /** The rest of it, less than a cent. Providers pay whole cents: it stays on the balance, for a later month. */
  restMicros: bigint;
  payeeId: string | null;
  method: string | null;
  /** None if it is to be paid. */
  blocks: PaymentBlock[];
}

interface Row {
  accountId: number;
  amount: string;
  payeeId: string | null;
  method: string | null;
  drifts: boolean;
  blocked: boolean;
}

/** SQL: whether an owner of an account is blocked; `account` is an expression of the account's id. */
export const ownerIsBlocked = (account: string): string =>
  `EXISTS (SELECT FROM memberships m JOIN users u ON u.id = m.user_id
           WHERE m.account_id = ${account} AND ${IS_OWNER} AND u.blocked_at IS NOT NULL)`;

/** SQL: whether an account's books and events disagree about a day before `before`, and no admin has accepted it. */
export const booksDrift = (account: string, before: string): string =>
  `EXISTS (SELECT FROM ledger_drifts d WHERE d.account_id = ${account} AND d.day < ${before} AND d.accepted_at IS NULL)`;

const BALANCES = "l.book = 'publisher_balance' AND ($3::integer IS NULL OR l.account_id = $3)";
/**
 * `$1` is the day after the month, `$2` the provider, `$3` one account or null, `$4` whether the platform is a demo. What is about later
 * days waits for their own month, since sales of a month that is still open must not make up for what was taken. No more is paid than
 * there is.
 */
const PAYABLES = `
  WITH totals AS (
    SELECT l.account_id, -sum(l.amount_micros) AS micros FROM ledger_lines l WHERE ${BALANCES} GROUP BY l.account_id
  ), since AS (
    SELECT l.account_id, -sum(l.amount_micros) AS micros, -sum(l.amount_micros) FILTER (WHERE p.for_day >= $1) AS of_later_days
    FROM ledger_postings p JOIN ledger_lines l ON l.posting_id = p.id
    WHERE p.on_day >= $1 AND ${BALANCES} GROUP BY l.account_id
  )
  SELECT a.id AS "accountId", y.payee_id AS "payeeId", y.method,
    least(t.micros, t.micros - coalesce(s.micros, 0), t.micros - coalesce(s.of_later_days, 0)) AS amount,
    ${booksDrift("a.id", "$1")} AS drifts, ${ownerIsBlocked("a.id")} AS blocked
  FROM totals t LEFT JOIN since s USING (account_id) JOIN accounts a ON a.id = t.account_id AND a.deleted_at IS NULL AND (NOT a.demo OR $4)
  LEFT JOIN payees y ON y.account_id = a.id AND y.provider = $2
  ORDER BY a.id`;

export interface PayableTerms {
  /** `2026-10`. */
  month: string;
  provider: string;
  /** Less than this stays on the balance. */
  minimumMicros: number;
  /** Whether the platform is a demo. Elsewhere, accounts of a demo that it once was are not paid. */
  demo: boolean;
}

/** What each account with a balance book, or one of them, would be paid for a month, whether or not it is paid already. */
export async function readPayables(
  client: Pool | PoolClient,
  { month, provider, minimumMicros, demo }: PayableTerms,
  accountId: number | null = null,
): Promise<Payable[]> {
  const { rows } = await client.query<Row>(PAYABLES, [afterMonth(month), provider, accountId, demo]);
  return rows.map(({ amount, drifts, blocked, ...row }) => {
    const amountMicros = wholeCents(BigInt(amount));
    const blocks: PaymentBlock[] = [];
    if (amountMicros < BigInt(minimumMicros)) blocks.push("below_minimum");
    if (row.method === null) blocks.push("no_details");
    if (drifts) blocks.push("drift");
    if (blocked) blocks.push("blocked");
    return { ...row, amountMicros, restMicros: BigInt(amount) - amountMicros, blocks };
  });
}
