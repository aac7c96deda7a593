import { formatDay, dayOf } from "@millrace/units";
import type { Pool, PoolClient } from "pg";
import type { Clock } from "../../../platform/clock.ts";
import { Problem } from "../../../platform/http/problem.ts";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { type By, recordAct } from "../../audit/index.ts";
import { lockDeduction } from "./lock-deduction.ts";
import { canDispute, mayBecome } from "./rules.ts";

export interface DisputeDeps {
  pool: Pool;
  clock: Clock;
  /** Queues mails to the admins, once the transaction commits. */
  tellAdmins(client: PoolClient, uuid: string): Promise<void>;
}

/**
 * Disputes a deduction of the caller's account, and mails the admins. Problem `not_found` for another account's,
 * `conflict` after its last day, or if it is disputed or answered already.
 */
export async function disputeDeduction(
  { pool, clock, tellAdmins }: DisputeDeps,
  by: By,
  { uuid, text }: { uuid: string; text: string },
): Promise<void> {
  const { accountId, userId } = by.caller;
  await inTransaction(pool, async (client) => {
    const deduction = await lockDeduction(client, { uuid, ofAccount: accountId });
    const at = new Date(clock.now());
    if (!mayBecome(deduction.state, "disputed"))
      throw new Problem("conflict", "This deduction is disputed or answered already");
    if (!canDispute(deduction, dayOf(at.getTime())))
      throw new Problem("conflict", `This deduction could be disputed until ${formatDay(deduction.until)}`);
    await client.query(
      "UPDATE deductions SET state = 'disputed', dispute = $2, disputed_at = $3, disputed_by = $4 WHERE id = $1",
      [deduction.id, text, at, userId],
    );
    // Without the text: entries outlive the person who wrote it.
    await recordAct({ pool: client, clock }, by, { action: "deduction_disputed", subject: uuid });
    await tellAdmins(client, uuid);
  });
}
