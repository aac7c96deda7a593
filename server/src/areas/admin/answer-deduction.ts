import type { answerDeduction as call } from "@millrace/contract";
import type { z } from "zod";
import { inTransaction } from "../../platform/postgres/in-transaction.ts";
import { type By, recordAct } from "../audit/index.ts";
import * as payments from "../payments/index.ts";
import type { Admin } from "./deps.ts";

/**
 * Upholds or reverses a deduction, and mails its owner the answer. Problem `not_found`, and `conflict` if its state allows
 * no such answer, or its account is deleted.
 */
export async function answerDeduction(
  { pool, clock, tellOwner }: Pick<Admin, "pool" | "clock" | "tellOwner">,
  by: By,
  { uuid, ...input }: { uuid: string } & z.output<typeof call.body>,
): Promise<void> {
  await inTransaction(pool, async (client) => {
    const { accountId, before, amountMicros } = await payments.answerDeduction(client, {
      uuid,
      ...input,
      actorUserId: by.caller.userId,
      at: new Date(clock.now()),
    });
    const action = `deduction_${input.verdict}` as const;
    // Without the answer, which may quote the dispute: entries outlive the people in it.
    const details = { before, amountMicros };
    await recordAct({ pool: client, clock }, by, { action, subject: uuid, accountId, details });
    await tellOwner(client, { what: action, accountId, uuid });
  });
}
