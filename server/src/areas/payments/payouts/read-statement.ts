import { appNames, type Platform } from "@millrace/contract";
import { addDays } from "@millrace/units";
import type { Pool, PoolClient } from "pg";
import { Problem } from "../../../platform/http/problem.ts";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import type { PostingKind } from "../ledger.ts";
import { afterMonth } from "./months.ts";

/** What a payment that was sent is made of. Amounts in micro-dollars; those that were taken are negative. */
export interface Statement {
  payoutId: string;
  accountName: string;
  /** `2026-10`. */
  month: string;
  /** The UTC days after the month that was paid before, and whose payment had not come back by then, to the end of this one. */
  period: { ds: string; de: string };
  /** The balance before the period and at its end. */
  openingMicros: bigint;
  closingMicros: bigint;
  /** Ads of the period by app and provider, the largest first: `grossMicros` = `feeMicros` + `revenueMicros`. */
  sales: readonly StatementSale[];
  /** What else moved the balance, in the order of booking. */
  others: readonly StatementEntry[];
  /** What was paid, in whole cents. */
  amountMicros: bigint;
  method: string;
  /** What the payout provider calls it. */
  reference: string;
  settledAt: Date;
  /** The UTC day. */
  paidOn: string;
}

export interface StatementSale {
  appName: string;
  provider: string;
  grossMicros: bigint;
  feeMicros: bigint;
  revenueMicros: bigint;
}

export interface StatementEntry {
  kind: Exclude<PostingKind, "accrual">;
  onDay: string;
  reason: string;
  micros: bigint;
}

interface PayoutRow {
  accountId: number;
  accountName: string;
  month: string;
  former: string | null;
  firstDay: string | null;
  amount: string;
  method: string;
  reference: string;
  state: string;
  changedAt: Date;
  paidOn: string;
}

/**
 * What a payment is made of. The months up to it are closed, so that this never changes. Problem `not_found` for an unknown
 * payout or one of another account, `conflict` for one that was not paid.
 */
export async function readStatement(
  pool: Pool,
  { payoutId, accountId = null }: { payoutId: string; accountId?: number | null },
): Promise<Statement> {
  return inTransaction(pool, async (client) => {
    await client.query("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY");
    const { rows } = await client.query<PayoutRow>(
      `SELECT p.account_id AS "accountId", a.name AS "accountName", to_char(p.period, 'YYYY-MM') AS month, (
         SELECT to_char(max(f.period), 'YYYY-MM') FROM payouts f WHERE f.account_id = p.account_id AND f.period < p.period
           -- One that came back has no statement, so that its sales are in the next payment's. What comes back later changes none.
           AND (f.state <> 'rejected' OR f.changed_at > p.created_at)
       ) AS former, (
         SELECT min(b.on_day)::text FROM ledger_postings b JOIN ledger_lines l ON l.posting_id = b.id
         WHERE l.account_id = p.account_id AND l.book = 'publisher_balance'
       ) AS "firstDay", p.amount_micros AS amount, p.method, p.provider_reference AS reference, p.state,
       p.changed_at AS "changedAt", coalesce(p.paid_on, (p.changed_at AT TIME ZONE 'UTC')::date)::text AS "paidOn"
       FROM payouts p JOIN accounts a ON a.id = p.account_id WHERE p.id = $1 AND ($2::integer IS NULL OR a.id = $2)`,
      [payoutId, accountId],
    );
    const [payout] = rows;
    if (!payout) throw new Problem("not_found", "There is no such payment");
    if (payout.state !== "paid") throw new Problem("conflict", "There is a statement once the payment was sent");
    const { month, former, firstDay } = payout;
    const de = addDays(afterMonth(month), -1);
    const ds = former === null ? (firstDay ?? `${month}-01`) : afterMonth(former);
    const range = [payout.accountId, ds, de];
    const openingMicros = await balanceBefore(client, payout.accountId, ds);
    const sales = await salesOf(client, range);
    const others = await othersOf(client, range);
    const sum = (micros: readonly bigint[]) => micros.reduce((all, one) => all + one, 0n);
    return {
      payoutId,
      accountName: payout.accountName,
      month,
      period: { ds, de },
      openingMicros,
      closingMicros:
        openingMicros + sum(sales.map(({ revenueMicros }) => revenueMicros)) + sum(others.map(({ micros }) => micros)),
      sales,
      others,
      amountMicros: BigInt(payout.amount),
      method: payout.method,
      reference: payout.reference,
      settledAt: payout.changedAt,
      paidOn: payout.paidOn,
    };
  });
}

async function balanceBefore(client: PoolClient, accountId: number, day: string): Promise<bigint> {
  const { rows } = await client.query<{ micros: string }>(
    `SELECT coalesce(-sum(l.amount_micros), 0) AS micros
     FROM ledger_lines l JOIN ledger_postings p ON p.id = l.posting_id
     WHERE l.account_id = $1 AND l.book = 'publisher_balance' AND p.on_day < $2`,
    [accountId, day],
  );
  return BigInt(rows[0]?.micros ?? 0);
}

/** `$1` is the account, `$2` and `$3` the first and last day. */
const POSTINGS = `ledger_postings p JOIN ledger_lines l ON l.posting_id = p.id WHERE p.on_day BETWEEN $2 AND $3`;

/** An accrual is of one publisher: beside its balance, the lines have the prices and the platform's fees. */
async function salesOf(client: PoolClient, range: readonly unknown[]): Promise<StatementSale[]> {
  const { rows } = await client.query<{
    appId: number;
    name: string;
    platform: Platform;
    provider: string;
    gross: string;
    fee: string;
    revenue: string;
  }>(
    `SELECT s.app_id AS "appId", coalesce(a.name, 'App ' || s.app_id) AS name, a.platform, s.provider, s.gross, s.fee, s.revenue FROM (
       SELECT l.app_id, l.provider,
         coalesce(sum(l.amount_micros) FILTER (WHERE l.book IN ('partner_receivable', 'campaign_costs')), 0) AS gross,
         coalesce(-sum(l.amount_micros) FILTER (WHERE l.book = 'platform_fees'), 0) AS fee,
         coalesce(-sum(l.amount_micros) FILTER (WHERE l.book = 'publisher_balance'), 0) AS revenue
       FROM ${POSTINGS} AND p.kind = 'accrual' AND p.id IN (
         SELECT o.posting_id FROM ledger_lines o WHERE o.account_id = $1 AND o.book = 'publisher_balance')
       GROUP BY l.app_id, l.provider
     ) s LEFT JOIN apps a ON a.id = s.app_id ORDER BY s.revenue DESC, s.app_id, s.provider`,
    [...range],
  );
  const apps = new Map(rows.map(({ appId: app_id, name, platform }) => [app_id, { app_id, name, platform }]));
  const names = appNames([...apps.values()]);
  return rows.map(({ appId, name, provider, gross, fee, revenue }) => ({
    appName: names.get(appId) ?? name,
    provider,
    grossMicros: BigInt(gross),
    feeMicros: BigInt(fee),
    revenueMicros: BigInt(revenue),
  }));
}

async function othersOf(client: PoolClient, range: readonly unknown[]): Promise<StatementEntry[]> {
  const { rows } = await client.query<Omit<StatementEntry, "micros"> & { micros: string }>(
    `SELECT p.kind, p.on_day::text AS "onDay", p.reason, -sum(l.amount_micros) AS micros
     FROM ${POSTINGS} AND p.kind <> 'accrual' AND l.account_id = $1 AND l.book = 'publisher_balance'
     GROUP BY p.id ORDER BY p.on_day, p.id`,
    [...range],
  );
  return rows.map(({ micros, ...entry }) => ({ ...entry, micros: BigInt(micros) }));
}
