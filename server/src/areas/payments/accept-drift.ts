import type { Body, acceptDrift as call } from "@millrace/contract";
import type { Pool } from "pg";
import type { Clock } from "../../platform/clock.ts";
import { Problem } from "../../platform/http/problem.ts";
import { inTransaction } from "../../platform/postgres/in-transaction.ts";
import { type By, recordAct } from "../audit/index.ts";

/**
 * Accepts a difference between books and events, which then holds back no payment. The reason stays in the audit log, also once the
 * difference is gone. Problem `not_found`, and `conflict` if it was accepted before or is another one by now.
 */
export async function acceptDrift(
  { pool, clock }: { pool: Pool; clock: Clock },
  by: By,
  { id, reason, ...seen }: { id: string } & Body<typeof call>,
): Promise<void> {
  await inTransaction(pool, async (client) => {
    const { rows } = await client.query<{
      day: string;
      accountId: number;
      what: string;
      counted: string;
      booked: string;
      isOpen: boolean;
    }>(
      `SELECT day::text AS day, account_id AS "accountId", what, counted_micros AS counted, booked_micros AS booked,
         accepted_at IS NULL AS "isOpen"
       FROM ledger_drifts WHERE uuid = $1 FOR UPDATE`,
      [id],
    );
    const [drift] = rows;
    if (!drift) throw new Problem("not_found", "There is no such difference any more");
    const { day, accountId, what, isOpen } = drift;
    const [counted, booked] = [Number(drift.counted), Number(drift.booked)];
    if (!isOpen) throw new Problem("conflict", "This difference has been accepted already");
    if (counted !== seen.counted || booked !== seen.booked)
      throw new Problem("conflict", "The books were counted again, and the difference is another one now");
    await client.query(
      "UPDATE ledger_drifts SET accepted_at = $2, accepted_by = $3, accepted_reason = $4 WHERE uuid = $1",
      [id, new Date(clock.now()), by.caller.userId, reason],
    );
    await recordAct({ pool: client, clock }, by, {
      action: "drift_accepted",
      subject: id,
      accountId,
      details: { day, what, counted, booked, reason },
    });
  });
}
