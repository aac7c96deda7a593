import { Problem } from "../../platform/http/problem.ts";
import { inTransaction } from "../../platform/postgres/in-transaction.ts";
import { type By, recordAct } from "../audit/index.ts";
import type { SupportDesk } from "./deps.ts";
import { findMessage, setReply } from "./message-store.ts";

/** Answers a message, once. Problem `not_found` for an unknown message, `conflict` if it has another answer. */
export async function answerSupport(
  { pool, clock, mailSupport }: SupportDesk,
  by: By,
  uuid: string,
  reply: string,
): Promise<void> {
  const message = await findMessage(pool, uuid);
  if (!message) throw new Problem("not_found", "There is no such message");
  // Sent again after a lost reply.
  if (message.reply === reply) return;
  await inTransaction(pool, async (client) => {
    const at = new Date(clock.now());
    const accountId = await setReply(client, uuid, { reply, at, by: by.caller.userId });
    if (accountId === undefined) throw new Problem("conflict", "This message has already been answered");
    await recordAct({ pool: client, clock }, by, { action: "support_answered", subject: uuid, accountId });
    await mailSupport(client, { what: "answer", uuid });
  });
}
