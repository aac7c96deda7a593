import type { DeductionState } from "@millrace/contract";
import type { PoolClient } from "pg";
import { Problem } from "../../../platform/http/problem.ts";

export interface LockedDeduction {
  id: string;
  uuid: string;
  accountId: number;
  appId: number;
  provider: string;
  day: string;
  explanation: string;
  amountMicros: bigint;
  state: DeductionState;
  until: string;
}

/**
 * Locks a deduction until the transaction ends, so that of two changes at once the second finds the first one's state.
 * The account is locked before it, in the order of its deletion. Problem `not_found` for another account's, `conflict` if
 * the account is deleted.
 */
export async function lockDeduction(
  client: PoolClient,
  { uuid, ofAccount }: { uuid: string; ofAccount: number | null },
): Promise<LockedDeduction> {
  const { rows: owners } = await client.query<{ deleted: boolean }>(
    `SELECT a.deleted_at IS NOT NULL AS deleted FROM deductions d JOIN accounts a ON a.id = d.account_id
     WHERE d.uuid = $1 AND ($2::integer IS NULL OR d.account_id = $2) FOR NO KEY UPDATE OF a`,
    [uuid, ofAccount],
  );
  const [owner] = owners;
  if (!owner) throw new Problem("not_found", "There is no such deduction");
  if (owner.deleted) throw new Problem("conflict", "The account of this deduction is deleted");
  const { rows } = await client.query<Omit<LockedDeduction, "amountMicros"> & { amount: string }>(
    `SELECT id, uuid, account_id AS "accountId", app_id AS "appId", provider, day::text AS day, explanation,
            amount_micros AS amount, state, dispute_until::text AS until
     FROM deductions WHERE uuid = $1 FOR UPDATE`,
    [uuid],
  );
  const [row] = rows;
  if (!row) throw new Problem("not_found", "There is no such deduction");
  const { amount, ...deduction } = row;
  return { ...deduction, amountMicros: BigInt(amount) };
}
