import type { creditAdvertiser as call } from "@millrace/contract";
import type { z } from "zod";
import { Problem } from "../../platform/http/problem.ts";
import { inTransaction } from "../../platform/postgres/in-transaction.ts";
import { type By, recordAct } from "../audit/index.ts";
import * as payments from "../payments/index.ts";
import type { Admin } from "./deps.ts";
import { findOwner } from "./find-owner.ts";

/**
 * Credits an advertiser's balance or takes a credit back, mails its owner, and returns the new balance. A repeated key does nothing else.
 * Problem `not_found` for a user who owns no account, `unprocessable` for an account without campaigns or if less is left to take back,
 * `conflict` if the key belongs to another credit.
 */
export async function creditAdvertiser(
  { pool, clock, tellOwner }: Admin,
  by: By,
  { uuid, amount: amountMicros, reason, key }: { uuid: string } & z.output<typeof call.body>,
): Promise<number> {
  const { accountId, canCampaign } = await findOwner(pool, uuid);
  if (!canCampaign) throw new Problem("unprocessable", "This account has no campaigns to spend money on");
  return inTransaction(pool, async (client) => {
    const { booked, balanceMicros } = await payments.creditAdvertiser(client, {
      key,
      accountId,
      amountMicros,
      reason,
      actorUserId: by.caller.userId,
      at: new Date(clock.now()),
    });
    if (booked) {
      const details = { amountMicros, reason, key };
      await recordAct({ pool: client, clock }, by, {
        action: "advertiser_credited",
        subject: uuid,
        accountId,
        details,
      });
      await tellOwner(client, { what: "credited", accountId, amountMicros, balanceMicros, reason });
    }
    return balanceMicros;
  });
}
