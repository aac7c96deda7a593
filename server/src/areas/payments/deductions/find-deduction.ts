import type { DeductionReason } from "@millrace/contract";
import type { Pool } from "pg";

/** What mails tell about a deduction. */
export interface FoundDeduction {
  amountMicros: number;
  reason: DeductionReason;
  explanation: string;
  day: string;
  appName: string;
  /** Empty if it names none. */
  provider: string;
  until: string;
  answer: string | null;
}

/** A deduction of an account that is not deleted; undefined otherwise. */
export async function findDeduction(pool: Pool, uuid: string): Promise<FoundDeduction | undefined> {
  const { rows } = await pool.query<Omit<FoundDeduction, "amountMicros"> & { amount: string }>(
    `SELECT d.amount_micros AS amount, d.reason, d.explanation, d.day::text AS day, a.name AS "appName", d.provider,
            d.dispute_until::text AS until, d.answer
     FROM deductions d JOIN apps a ON a.id = d.app_id JOIN accounts o ON o.id = d.account_id
     WHERE d.uuid = $1 AND o.deleted_at IS NULL`,
    [uuid],
  );
  const [row] = rows;
  if (!row) return undefined;
  const { amount, ...deduction } = row;
  return { ...deduction, amountMicros: Number(amount) };
}
