import { DEDUCTION_REASONS, type DeductionReason, STATEMENT_CAUSES, type StatementCause } from "@millrace/contract";
import { type DayRange, addDays } from "@millrace/units";
import type { PoolClient } from "pg";
import { afterMonth } from "../payouts/months.ts";
import { type RevenueCell, isPartners } from "./cells.ts";

/** The days of a month, `2026-10`. */
export const daysOf = (month: string): DayRange => ({ ds: `${month}-01`, de: addDays(afterMonth(month), -1) });

type Sums = Record<
  "gross" | "revenue" | "paid" | "onItsWay" | "givenBack" | `stated_${StatementCause}` | `deducted_${DeductionReason}`,
  string
>;

const of = (condition: string, sign = "") => `coalesce(${sign}sum(l.amount_micros) FILTER (WHERE ${condition}), 0)`;
const IS_BALANCE = "l.book = 'publisher_balance'";
/** Every posting counts until the end of the month of its day, and is paid with the first payout of that month or a later one. */
const MONTH = "date_trunc('month', p.on_day)::date";

/** `$1` and `$2` are the first and last UTC day of the traffic, `$3` is an account, `$4` a provider, or null. */
const CELLS = `
  WITH paid AS (
    SELECT account_id, max(period) FILTER (WHERE state = 'paid') AS until,
           max(period) FILTER (WHERE state IN ('due', 'sending', 'sent', 'paid')) AS sent_until
    FROM payouts GROUP BY account_id
  )
  SELECT p.for_day::text AS day, l.app_id AS "appId", l.provider,
    ${of("p.kind = 'accrual' AND l.book IN ('partner_receivable', 'campaign_costs')")} AS gross,
    ${of(`p.kind = 'accrual' AND ${IS_BALANCE}`, "-")} AS revenue,
    ${STATEMENT_CAUSES.map((cause) => `${of(`p.cause = '${cause}' AND l.book = 'partner_receivable'`)} AS stated_${cause}`).join(", ")},
    ${DEDUCTION_REASONS.map((reason) => `${of(`d.reason = '${reason}' AND ${IS_BALANCE} AND l.amount_micros > 0`)} AS deducted_${reason}`).join(", ")},
    ${of(`p.kind = 'deduction' AND ${IS_BALANCE} AND l.amount_micros < 0`, "-")} AS "givenBack",
    ${of(`${IS_BALANCE} AND ${MONTH} <= paid.until`, "-")} AS paid,
    ${of(`${IS_BALANCE} AND ${MONTH} > coalesce(paid.until, '-infinity') AND ${MONTH} <= paid.sent_until`, "-")} AS "onItsWay"
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
    stated: eachOf(STATEMENT_CAUSES, (cause) => BigInt(sums[`stated_${cause}`])),
    isStated: isPartners(by) && stated.has(`${day} ${appId} ${by}`),
    deducted: eachOf(DEDUCTION_REASONS, (reason) => BigInt(sums[`deducted_${reason}`])),
    givenBackMicros: BigInt(sums.givenBack),
    paidMicros: BigInt(sums.paid),
    onItsWayMicros: BigInt(sums.onItsWay),
  }));
}

const eachOf = <C extends string>(causes: readonly C[], micros: (cause: C) => bigint) =>
  Object.fromEntries(causes.map((cause) => [cause, micros(cause)])) as Record<C, bigint>;

async function statedCells(client: PoolClient, { ds, de }: DayRange): Promise<Set<string>> {
  const { rows } = await client.query<{ key: string }>(
    `SELECT DISTINCT concat_ws(' ', d.day, d.app_id, s.partner_id) AS key
     FROM statement_days d JOIN statements s ON s.id = d.statement_id WHERE d.day BETWEEN $1 AND $2`,
    [ds, de],
  );
  return new Set(rows.map(({ key }) => key));
}
