import { Problem } from "../../platform/http/problem.ts";
import { inTransaction } from "../../platform/postgres/in-transaction.ts";
import { type By, recordAct } from "../audit/index.ts";
import { refillCampaignBalance } from "../payments/index.ts";
import type { Admin } from "./deps.ts";
import { findOwner } from "./find-owner.ts";

/**
 * Adds money to an advertiser's balance, mails its owner, and returns the new balance. Repeating a key returns the same
 * reply and does nothing else. Problem `not_found` for a user who owns no account, `unprocessable` for an account
 * without campaigns, `conflict` if the key belongs to another refill.
 */
export async function refillBalance(
  deps: Admin,
  by: By,
  refill: { uuid: string; amountMicros: number; reason: string; key: string },
): Promise<number> {
  const { pool, clock } = deps;
  const { uuid, amountMicros, reason, key } = refill;
  const { accountId, canCampaign } = await findOwner(pool, uuid);
  if (!canCampaign) throw new Problem("unprocessable", "This account has no campaigns to spend money on");
  return inTransaction(pool, async (client) => {
    const at = new Date(clock.now());
    const actorUserId = by.caller.userId;
    const { booked, balanceMicros } = await refillCampaignBalance(client, {
      key,
      accountId,
      amountMicros,
      reason,
      actorUserId,
      at,
    });
    const details = { amountMicros, reason, key };
    const act = { action: "balance_refilled", subject: uuid, accountId, details };
    if (booked) {
      await recordAct({ pool: client, clock }, by, act);
      await deps.tellOwner(client, { what: "refilled", accountId, amountMicros, balanceMicros, reason });
    }
    return balanceMicros;
  });
}
