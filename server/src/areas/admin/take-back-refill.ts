import type { takeBackRefill as call } from "@millrace/contract";
import type { z } from "zod";
import { inTransaction } from "../../platform/postgres/in-transaction.ts";
import { type By, recordAct } from "../audit/index.ts";
import * as payments from "../payments/index.ts";
import type { Admin } from "./deps.ts";
import { findOwner } from "./find-owner.ts";

/**
 * Takes a mistaken refill, or a part of it, off an advertiser's balance, mails its owner, and returns the new balance. A repeated key does
 * nothing else. Problem `not_found` for a user who owns no account and for a refill that is not theirs, `unprocessable` if less is left.
 */
export async function takeBackRefill(
  { pool, clock, tellOwner }: Admin,
  by: By,
  { uuid, amount: amountMicros, ...input }: { uuid: string } & z.output<typeof call.body>,
): Promise<number> {
  const { accountId } = await findOwner(pool, uuid);
  return inTransaction(pool, async (client) => {
    const taken = { ...input, accountId, amountMicros, actorUserId: by.caller.userId, at: new Date(clock.now()) };
    const { booked, balanceMicros } = await payments.takeBackRefill(client, taken);
    if (booked) {
      const details = { ...input, amountMicros };
      await recordAct({ pool: client, clock }, by, { action: "refill_taken_back", subject: uuid, accountId, details });
      const { reason } = input;
      await tellOwner(client, { what: "refill_taken_back", accountId, amountMicros, balanceMicros, reason });
    }
    return balanceMicros;
  });
}
