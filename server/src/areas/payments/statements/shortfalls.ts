import { DEDUCTION_REASONS, type DeductionReason, type StatementCause } from "@millrace/contract";
import { divideRounded } from "@millrace/units";
import { createHash } from "node:crypto";
import type { Pool } from "pg";
import { Problem } from "../../../platform/http/problem.ts";
import { keyOf } from "./cells.ts";

/** What a partner owes less than our events say of a day of an app, as far as it is the publisher's. */
interface Shortfall {
  micros: bigint;
  /** What was deducted from the publisher for this day, app and partner, and not given back. */
  passedOnMicros: bigint;
  /** How many deductions there have been for it, with those that were reversed. */
  deductions: number;
  /** What most of it is for. */
  reason: DeductionReason;
}

const NOTHING = { gross: "0", revenue: "0", passedOn: "0", deductions: 0 };

/** The shortfalls of the days of a statement that no later one has restated. */
export async function readShortfalls(
  pool: Pool,
  { statementId, partner }: { statementId: string; partner: string },
): Promise<(day: string, appId: number) => Shortfall | undefined> {
  const { rows } = await pool.query<{
    day: string;
    appId: number;
    cause: StatementCause | null;
    micros: string;
    gross: string;
    revenue: string;
    passedOn: string;
    deductions: number;
  }>(
    `SELECT d.day::text AS day, d.app_id AS "appId", c.cause, coalesce(c.micros, 0) AS micros, e.gross, e.revenue,
            (SELECT coalesce(sum(amount_micros), 0) FROM deductions x
             WHERE x.app_id = d.app_id AND x.day = d.day AND x.provider = $2 AND x.state <> 'reversed') AS "passedOn",
            (SELECT count(*)::integer FROM deductions x
             WHERE x.app_id = d.app_id AND x.day = d.day AND x.provider = $2) AS deductions
     FROM statement_days d
     CROSS JOIN LATERAL (
       SELECT coalesce(sum(l.amount_micros) FILTER (WHERE l.book = 'partner_receivable'), 0) AS gross,
              coalesce(-sum(l.amount_micros) FILTER (WHERE l.book = 'publisher_balance'), 0) AS revenue
       FROM ledger_postings g JOIN ledger_lines l ON l.posting_id = g.id
       WHERE g.for_day = d.day AND g.kind = 'accrual' AND l.app_id = d.app_id AND l.provider = $2
     ) e
     LEFT JOIN LATERAL (
       SELECT g.cause, sum(l.amount_micros) AS micros
       FROM ledger_postings g JOIN ledger_lines l ON l.posting_id = g.id
       WHERE g.for_day = d.day AND g.kind = 'statement' AND l.app_id = d.app_id AND l.provider = $2 AND l.book = 'partner_receivable'
       GROUP BY g.cause
     ) c ON true
     WHERE d.statement_id = $1 AND NOT EXISTS (
       SELECT FROM statement_days n JOIN statements s ON s.id = n.statement_id
       WHERE s.partner_id = $2 AND n.day = d.day AND n.app_id = d.app_id AND s.id > d.statement_id)`,
    [statementId, partner],
  );
  const cells = new Map<string, Shortfall>();
  const byKey = new Map<string, typeof rows>();
  for (const row of rows) byKey.set(keyOf(row.day, row.appId), [...(byKey.get(keyOf(row.day, row.appId)) ?? []), row]);
  for (const [key, causes] of byKey) {
    const [{ gross, revenue, passedOn, deductions } = NOTHING] = causes;
    const less = -causes.reduce((sum, { micros }) => sum + BigInt(micros), 0n);
    const micros = less > 0n && BigInt(gross) > 0n ? divideRounded(less * BigInt(revenue), BigInt(gross)) : 0n;
    const [worst] = causes.toSorted((one, other) => Number(BigInt(one.micros) - BigInt(other.micros)));
    const reason = DEDUCTION_REASONS.find((one) => one === worst?.cause) ?? "discrepancy";
    cells.set(key, { micros, passedOnMicros: BigInt(passedOn), deductions, reason });
  }
  return (day, appId) => cells.get(keyOf(day, appId));
}

/** What an admin passes on to a publisher: a deduction as `noteDeduction` takes it, and whose it is. */
export interface PassedOn {
  ownerUserId: string;
  key: string;
  provider: string;
  reason: DeductionReason;
  amountMicros: number;
}

/**
 * What is left of a shortfall to pass on. Its key is the same until there is another deduction, so that a repeated request passes it on once,
 * and what was reversed can be passed on again. Problem `not_found`, or `unprocessable` if nothing is left.
 */
export async function shortfallToPassOn(
  pool: Pool,
  { statement, day, app }: { statement: string; day: string; app: string },
): Promise<PassedOn> {
  const { rows } = await pool.query<{ id: string; partner: string; appId: number; owner: string | null }>(
    `SELECT s.id, s.partner_id AS partner, a.id AS "appId", (
       SELECT u.uuid FROM memberships m JOIN users u ON u.id = m.user_id
       WHERE m.account_id = a.account_id AND m.role IN ('owner', 'admin') ORDER BY u.id LIMIT 1) AS owner
     FROM statements s JOIN statement_days d ON d.statement_id = s.id AND d.day = $2 JOIN apps a ON a.id = d.app_id
     WHERE s.uuid = $1 AND a.uuid = $3`,
    [statement, day, app],
  );
  const [found] = rows;
  if (!found) throw new Problem("not_found", "This statement has no such day of this app");
  if (found.owner === null) throw new Problem("conflict", "The account of this app is deleted");
  const shortfalls = await readShortfalls(pool, { statementId: found.id, partner: found.partner });
  const shortfall = shortfalls(day, found.appId);
  const left = (shortfall?.micros ?? 0n) - (shortfall?.passedOnMicros ?? 0n);
  if (!shortfall || left <= 0n) throw new Problem("unprocessable", "Nothing is left of this shortfall to pass on");
  return {
    ownerUserId: found.owner,
    key: keyFrom([
      statement,
      day,
      app,
      ...[shortfall.micros, shortfall.passedOnMicros, shortfall.deductions].map(String),
    ]),
    provider: found.partner,
    reason: shortfall.reason,
    amountMicros: Number(left),
  };
}

/** A UUID (RFC 9562, version 8) made of a hash. */
function keyFrom(parts: readonly string[]): string {
  const hex = createHash("sha256").update(parts.join(" ")).digest("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    "-",
  );
}
