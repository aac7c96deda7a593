import type { Reply, noteDeduction as call } from "@millrace/contract";
import type { z } from "zod";
import { Problem } from "../../platform/http/problem.ts";
import { inTransaction } from "../../platform/postgres/in-transaction.ts";
import { type By, recordAct } from "../audit/index.ts";
import * as payments from "../payments/index.ts";
import type { Admin } from "./deps.ts";
import { findOwner } from "./find-owner.ts";

/**
 * Notes a deduction from a publisher's balance and mails its owner. Repeating a key returns the same deduction and does
 * nothing else. Problem `not_found` for a user who owns no account or an app that is not the account's, `unprocessable`
 * for an account without apps or naming what does not fit, `conflict` if the key belongs to another deduction.
 */
export async function noteDeduction(
  deps: Admin,
  by: By,
  { owner, ...input }: { owner: string } & z.output<typeof call.body>,
): Promise<Reply<typeof call>> {
  const { pool, clock } = deps;
  const { key, reason, day, provider, amount: amountMicros, explanation } = input;
  const { accountId, canApps } = await findOwner(pool, owner);
  if (!canApps) throw new Problem("unprocessable", "This account has no apps to earn money with");
  const auctions = [...new Set(input.auctions.map((id) => id.toLowerCase()))];
  const appId = await payments.checkDeduction(deps, accountId, { ...input, auctions });
  return inTransaction(pool, async (client) => {
    const { uuid, isNew, balanceMicros } = await payments.noteDeduction(client, {
      key,
      accountId,
      appId,
      provider,
      day,
      reason,
      amountMicros,
      explanation,
      auctions,
      actorUserId: by.caller.userId,
      at: new Date(clock.now()),
    });
    if (isNew) {
      const details = { reason, day, app: input.app, provider, amountMicros, explanation, auctions, key };
      const act = { action: "deduction_noted", subject: uuid, accountId, details };
      await recordAct({ pool: client, clock }, by, act);
      await deps.tellOwner(client, { what: "deduction_noted", accountId, uuid });
    }
    return { uuid, balance: balanceMicros };
  });
}
