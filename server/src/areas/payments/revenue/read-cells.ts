import { DEDUCTION_REASONS, type DeductionReason, STATEMENT_CAUSES, type StatementCause } from "@millrace/contract";
import { type DayRange, addDays } from "@millrace/units";
import type { PoolClient } from "pg";
import { afterMonth } from "../payouts/months.ts";
import { HELD_BY } from "../payouts/order-payouts.ts";
import { type RevenueCell, isPartners } from "./cells.ts";

/** The days of a month, `2026-10`. */
export const daysOf = (month: string): DayRange => ({ ds: `${month}-01`, de: addDays(afterMonth(month), -1) });

type Sums = Record<
  | "gross"
  | "revenue"
  | "paid"
  | "onItsWay"
  | "drift"
  | "blocked"
  | "givenBack"
  | `stated_${StatementCause}`
  | `deducted_${DeductionReason}`,
  string
>;

const sumWhere = (condition: string, sign = "") =>
  `coalesce(${sign}sum(l.amount_micros) FILTER (WHERE ${condition}), 0)`;
const IS_BALANCE = "l.book = 'publisher_balance'";
/** Every posting counts until the end of the month of its day, and is settled with the first payout of that month or a later one. */
const MONTH = "date_trunc('month', p.on_day)::date";

const IS_PAID = `(${MONTH} <= paid.until OR p.id < paid.last)`;
const IS_SENT = `(${MONTH} <= paid.sent_until OR p.id < paid.sent_last)`;
const IS_HELD = `(${MONTH} <= paid.held_until OR p.id < paid.held_last)`;
const IS_HELD_NOW = `${IS_BALANCE} AND ${IS_PAID} IS NOT TRUE AND ${IS_SENT} IS NOT TRUE AND ${IS_HELD}`;
/** The day after the month of a payout, `p`. */
const AFTER = "(p.period + interval '1 month')::date";

/**
 * `$1` and `$2` are the first and last UTC day of the traffic, `$3` is an account, `$4` a provider, or null. A payout that is less by
 * what was taken since its month settles what was booked before it (`last`), too: `readPayables` has the rule.
 */
const CELLS = `
  WITH since AS (
    SELECT p.id, p.on_day, p.for_day, l.account_id, -l.amount_micros AS micros
    FROM ledger_postings p JOIN ledger_lines l ON l.posting_id = p.id
    WHERE p.on_day > $2 AND (p.for_day IS NULL OR p.for_day < ${MONTH})
      AND l.book = 'publisher_balance' AND ($3::integer IS NULL OR l.account_id = $3)
  ), settling AS (
    SELECT p.account_id, p.period, p.state, CASE WHEN sum(s.micros) < 0 THEN g.id END AS last, ${HELD_BY} AS held
    FROM payouts p JOIN ledger_postings g ON g.reference = 'payout ' || p.id::text
    LEFT JOIN since s ON s.account_id = p.account_id AND s.id < g.id AND s.on_day >= ${AFTER}
      AND (s.for_day IS NULL OR s.for_day < ${AFTER})
    WHERE p.period >= $1 AND p.state <> 'rejected' GROUP BY p.id, g.id
  ), paid AS (
    SELECT account_id, max(held) AS held,
           max(period) FILTER (WHERE state = 'paid') AS until, max(last) FILTER (WHERE state = 'paid') AS last,
           max(period) FILTER (WHERE held IS NULL) AS sent_until, max(last) FILTER (WHERE held IS NULL) AS sent_last,
           max(period) AS held_until, max(last) AS held_last
    FROM settling GROUP BY account_id
  )
  SELECT p.for_day::text AS day, l.app_id AS "appId", l.provider,
    ${sumWhere("p.kind = 'accrual' AND l.book IN ('partner_receivable', 'campaign_costs')")} AS gross,
    ${sumWhere(`p.kind = 'accrual' AND ${IS_BALANCE}`, "-")} AS revenue,
    ${STATEMENT_CAUSES.map((cause) => `${sumWhere(`p.cause = '${cause}' AND l.book = 'partner_receivable'`)} AS stated_${cause}`).join(", ")},
    ${DEDUCTION_REASONS.map((reason) => `${sumWhere(`d.reason = '${reason}' AND ${IS_BALANCE} AND l.amount_micros > 0`)} AS deducted_${reason}`).join(", ")},
    ${sumWhere(`p.kind = 'deduction' AND ${IS_BALANCE} AND l.amount_micros < 0`, "-")} AS "givenBack",
    ${sumWhere(`${IS_BALANCE} AND ${IS_PAID}`, "-")} AS paid,
    ${sumWhere(`${IS_BALANCE} AND ${IS_PAID} IS NOT TRUE AND ${IS_SENT}`, "-")} AS "onItsWay",
    ${sumWhere(`${IS_HELD_NOW} AND paid.held = 'drift'`, "-")} AS drift,
    ${sumWhere(`${IS_HELD_NOW} AND paid.held = 'blocked'`, "-")} AS blocked
  FROM ledger_postings p
  JOIN ledger_lines l ON l.posting_id = p.id
  JOIN apps a ON a.id = l.app_id
  LEFT JOIN deductions d ON p.kind = 'deduction' AND split_part(p.reference, ' ', 2) = d.uuid::text
  LEFT JOIN paid ON paid.account_id = a.account_id
  WHERE p.for_day BETWEEN $1 AND $2 AND p.kind IN ('accrual', 'statement', 'deduction')
    AND ($3::integer IS NULL OR a.account_id = $3) AND ($4::text IS NULL OR l.provider = $4)
  GROUP BY p.for_day, l.app_id, l.provider ORDER BY p.for_day, l.app_id, l.provider`;

/** What the ledger has of a month's traffic: of an account, or of all; of a provider, or of all. */
export async function readCells(
  client: PoolClient,
  { month, accountId, provider }: { month: string; accountId: number | null; provider: string | null },
): Promise<RevenueCell[]> {
  const { ds, de } = daysOf(month);
  const { rows } = await client.query<{ day: string; appId: number; provider: string } & Sums>(CELLS, [
    ds,
    de,
    accountId,
    provider,
  ]);
  const stated = await statedCells(client, { ds, de });
  return rows.map(({ day, appId, provider: by, ...sums }) => ({
    day,
    appId,
    provider: by,
    grossMicros: BigInt(sums.gross),
    revenueMicros: BigInt(sums.revenue),
    stated: byCause(STATEMENT_CAUSES, (cause) => BigInt(sums[`stated_${cause}`])),
    isStated: isPartners(by) && stated.has(`${day} ${appId} ${by}`),
    deducted: byCause(DEDUCTION_REASONS, (reason) => BigInt(sums[`deducted_${reason}`])),
    givenBackMicros: BigInt(sums.givenBack),
    paidMicros: BigInt(sums.paid),
    onItsWayMicros: BigInt(sums.onItsWay),
    heldBack: { drift: BigInt(sums.drift), blocked: BigInt(sums.blocked) },
  }));
}

const byCause = <C extends string>(causes: readonly C[], micros: (cause: C) => bigint) =>
  Object.fromEntries(causes.map((cause) => [cause, micros(cause)])) as Record<C, bigint>;

async function statedCells(client: PoolClient, { ds, de }: DayRange): Promise<Set<string>> {
  const { rows } = await client.query<{ key: string }>(
    `SELECT DISTINCT concat_ws(' ', d.day, d.app_id, s.partner_id) AS key
     FROM statement_days d JOIN statements s ON s.id = d.statement_id WHERE d.day BETWEEN $1 AND $2`,
    [ds, de],
  );
  return new Set(rows.map(({ key }) => key));
}
