import type { Body, askSupport as askSupportCall } from "@millrace/contract";
import { Problem } from "../../platform/http/problem.ts";
import type { Caller } from "../../platform/http/caller.ts";
import { inTransaction } from "../../platform/postgres/in-transaction.ts";
import type { SupportDesk } from "./deps.ts";
import { countOpenMessages, insertMessage } from "./message-store.ts";

/** The number of a user's unanswered messages at which new ones are refused. */
const MOST_OPEN = 20;

/**
 * Stores a user's message and mails it to the operator. Problem `too_many` for a user who writes too fast,
 * `unprocessable` while too many of their messages are unanswered.
 */
export async function askSupport(
  { pool, clock, throttle, mailSupport }: SupportDesk,
  { userId, accountId, impersonatorId: visitorId }: Caller,
  body: Body<typeof askSupportCall>,
): Promise<void> {
  await throttle.take(visitorId ?? userId);
  await inTransaction(pool, async (client) => {
    // Serialized per user, so that the count is right.
    await client.query("SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE", [userId]);
    if ((await countOpenMessages(client, userId)) >= MOST_OPEN) {
      throw new Problem("unprocessable", `You have ${MOST_OPEN} unanswered messages. Please wait for an answer first`);
    }
    const at = new Date(clock.now());
    const uuid = await insertMessage(client, { userId, accountId, visitorId, ...body, at });
    await mailSupport(client, { what: "question", uuid });
  });
}
