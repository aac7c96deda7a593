import type { adjustBalance as call } from "@millrace/contract";
import type { z } from "zod";
import { Problem } from "../../platform/http/problem.ts";
import { inTransaction } from "../../platform/postgres/in-transaction.ts";
import { type By, recordAct } from "../audit/index.ts";
import { adjustPublisherBalance } from "../payments/index.ts";
import type { Admin } from "./deps.ts";
import { findOwner } from "./find-owner.ts";

/**
 * Gives a publisher a bonus or corrects their balance, mails its owner, and returns the new balance. Repeating a key
 * returns the same reply and does nothing else. Problem `not_found` for a user who owns no account, `unprocessable` for an
 * account without apps or a bonus that takes money, `conflict` if the key belongs to another adjustment.
 */
export async function adjustBalance(
  deps: Admin,
  by: By,
  { uuid, ...input }: { uuid: string } & z.output<typeof call.body>,
): Promise<number> {
  const { pool, clock } = deps;
  const { kind, amount: amountMicros, reason, key } = input;
  const { accountId, canApps } = await findOwner(pool, uuid);
  if (!canApps) throw new Problem("unprocessable", "This account has no apps to earn money with");
  if (kind === "bonus" && amountMicros < 0) throw new Problem("unprocessable", { amount: "A bonus adds money" });
  return inTransaction(pool, async (client) => {
    const at = new Date(clock.now());
    const { booked, balanceMicros } = await adjustPublisherBalance(client, {
      key,
      kind,
      accountId,
      amountMicros,
      reason,
      actorUserId: by.caller.userId,
      at,
    });
    if (booked) {
      const details = { kind, amountMicros, reason, key };
      await recordAct({ pool: client, clock }, by, { action: "balance_adjusted", subject: uuid, accountId, details });
      await deps.tellOwner(client, { what: "adjusted", accountId, kind, amountMicros, balanceMicros, reason });
    }
    return balanceMicros;
  });
}
