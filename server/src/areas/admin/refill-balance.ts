import { Problem } from "../../platform/http/problem.ts";
import { inTransaction } from "../../platform/postgres/in-transaction.ts";
import { type By, recordAct } from "../audit/index.ts";
import { refillCampaignBalance } from "../payments/index.ts";
import type { Admin } from "./deps.ts";
import { findOwner } from "./find-owner.ts";

/**
 * Puts money on an advertiser's balance and tells its owner; returns the balance after it. Asked again with the same key,
 * it answers the same and does nothing. Problem `not_found` for whoever owns no account, `unprocessable` for an account
 * without campaigns, `conflict` where the key stands for another refill.
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
      await deps.tellOwner(client, { what: "refilled", accountId, amountMicros, balanceMicros });
    }
    return balanceMicros;
  });
}
