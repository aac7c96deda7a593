import { DEDUCTION_REASONS, type DeductionReason, type StatementCause } from "@millrace/contract";
import { divideRounded } from "@millrace/units";
import { createHash } from "node:crypto";
import type { Pool, PoolClient } from "pg";
import { grouped } from "../../../platform/grouped.ts";
import { Problem } from "../../../platform/http/problem.ts";
import { ownerColumn } from "../../../platform/postgres/account-owner.ts";
import { keyOf } from "./cells.ts";

/**
 * The publisher's part of what a partner owes less than our events say for a day of an app, without what belongs to other days.
 */
export interface Shortfall {
  partner: string;
  day: string;
  appId: number;
  micros: bigint;
  /** What the partner's time zone moves to this day, or away from it: before our fee, and nil together with the neighbouring days. */
  timeZoneMicros: bigint;
  /** What was deducted from the publisher for this day, app and partner, and not given back. */
  passedOnMicros: bigint;
  /** The deductions of it that stand, the newest first, and how many there have been with those that were reversed. */
  standing: string[];
  deductions: number;
  /** What most of it is for. */
  reason: DeductionReason;
}

interface Row extends Pick<Shortfall, "partner" | "day" | "appId" | "standing" | "deductions"> {
  cause: StatementCause | null;
  micros: string;
  gross: string;
  revenue: string;
  passedOn: string;
}

/** The days of apps that `cells` selects as `partner`, `day` and `app_id`. */
export async function shortfallsOf(
  db: Pool | PoolClient,
  cells: string,
  values: readonly unknown[],
): Promise<Shortfall[]> {
  const { rows } = await db.query<Row>(
    `WITH cells AS (${cells})
     SELECT t.partner, t.day::text AS day, t.app_id AS "appId", c.cause, coalesce(c.micros, 0) AS micros, e.gross, e.revenue, x.*
     FROM cells t
     CROSS JOIN LATERAL (
       SELECT coalesce(sum(l.amount_micros) FILTER (WHERE l.book = 'partner_receivable'), 0) AS gross,
              coalesce(-sum(l.amount_micros) FILTER (WHERE l.book = 'publisher_balance'), 0) AS revenue
       FROM ledger_postings g JOIN ledger_lines l ON l.posting_id = g.id
       WHERE g.for_day = t.day AND g.kind = 'accrual' AND l.app_id = t.app_id AND l.provider = t.partner
     ) e
     CROSS JOIN LATERAL (
       SELECT coalesce(sum(amount_micros) FILTER (WHERE state <> 'reversed'), 0) AS "passedOn", count(*)::integer AS deductions,
              coalesce(array_agg(uuid::text ORDER BY id DESC) FILTER (WHERE state <> 'reversed'), '{}') AS standing
       FROM deductions WHERE app_id = t.app_id AND day = t.day AND provider = t.partner
     ) x
     LEFT JOIN LATERAL (
       SELECT g.cause, sum(l.amount_micros) AS micros
       FROM ledger_postings g JOIN ledger_lines l ON l.posting_id = g.id
       WHERE g.for_day = t.day AND g.kind = 'statement' AND l.app_id = t.app_id AND l.provider = t.partner AND l.book = 'partner_receivable'
       GROUP BY g.cause
     ) c ON true
     ORDER BY t.day, t.app_id, t.partner`,
    [...values],
  );
  return [...grouped(rows, ({ partner, day, appId }) => `${partner} ${keyOf(day, appId)}`).values()].flatMap(
    ([first, ...others]) => (first ? [shortfallOf(first, [first, ...others])] : []),
  );
}

function shortfallOf({ partner, day, appId, standing, deductions, ...row }: Row, all: readonly Row[]): Shortfall {
  // The neighbouring days have the other side of it: passed on, it would be taken from a publisher whose partner pays in full.
  const causes = all.filter(({ cause }) => cause !== "time_zone");
  const [gross, less] = [BigInt(row.gross), -sumOf(causes)];
  const ofDay = less < gross ? less : gross;
  const [worst] = causes.toSorted((one, other) => Number(BigInt(one.micros) - BigInt(other.micros)));
  return {
    partner,
    day,
    appId,
    standing,
    deductions,
    micros: ofDay > 0n ? divideRounded(ofDay * BigInt(row.revenue), gross) : 0n,
    timeZoneMicros: sumOf(all.filter(({ cause }) => cause === "time_zone")),
    passedOnMicros: BigInt(row.passedOn),
    reason: DEDUCTION_REASONS.find((one) => one === worst?.cause) ?? "discrepancy",
  };
}

const sumOf = (causes: readonly Row[]): bigint => causes.reduce((sum, { micros }) => sum + BigInt(micros), 0n);

/** The days of a statement that no later one has restated. */
const OF_STATEMENT = `
  SELECT s.partner_id AS partner, d.day, d.app_id FROM statement_days d JOIN statements s ON s.id = d.statement_id
  WHERE d.statement_id = $1 AND NOT EXISTS (
    SELECT FROM statement_days n JOIN statements l ON l.id = n.statement_id
    WHERE l.partner_id = s.partner_id AND n.day = d.day AND n.app_id = d.app_id AND l.id > d.statement_id)`;

/** The shortfalls of the days of a statement that no later one has restated. */
export async function readShortfalls(
  pool: Pool,
  statementId: string,
): Promise<(day: string, appId: number) => Shortfall | undefined> {
  const shortfalls = await shortfallsOf(pool, OF_STATEMENT, [statementId]);
  const cells = new Map(shortfalls.map((one) => [keyOf(one.day, one.appId), one]));
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
    `SELECT s.id, s.partner_id AS partner, a.id AS "appId",
       ${ownerColumn("uuid", "a.account_id")} AS owner
     FROM statements s JOIN statement_days d ON d.statement_id = s.id AND d.day = $2 JOIN apps a ON a.id = d.app_id
     WHERE s.uuid = $1 AND a.uuid = $3`,
    [statement, day, app],
  );
  const [found] = rows;
  if (!found) throw new Problem("not_found", "This statement has no such day of this app");
  if (found.owner === null) throw new Problem("conflict", "The account of this app is deleted");
  const shortfalls = await readShortfalls(pool, found.id);
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
