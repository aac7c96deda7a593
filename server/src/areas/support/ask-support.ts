import type { Body, askSupport as askSupportCall } from "@millrace/contract";
import { Problem } from "../../platform/http/problem.ts";
import type { Caller } from "../../platform/http/caller.ts";
import { uuidOfKey } from "../../platform/http/once-by-key.ts";
import { hasMailbox } from "../../platform/mail/index.ts";
import { inTransaction } from "../../platform/postgres/in-transaction.ts";
import type { SupportDesk } from "./deps.ts";
import { countOpenMessages, findMessage, insertMessage } from "./message-store.ts";

/** The number of a user's unanswered messages at which new ones are refused. */
const MOST_OPEN = 20;

/**
 * Stores a user's message and mails it to the operator, once for each key. Resolves with what the writer is told. Problem
 * `too_many` for a user who writes too fast, `unprocessable` while too many of their messages are unanswered, `conflict` for the
 * key of another message.
 */
export async function askSupport(
  { pool, clock, throttle, mailSupport }: SupportDesk,
  { userId, accountId, impersonatorId: visitorId }: Caller,
  { key, ...body }: Body<typeof askSupportCall> & { key?: string | undefined },
): Promise<string> {
  await throttle.take(visitorId ?? userId);
  return inTransaction(pool, async (client) => {
    // Serialized per user, so that the count is right.
    const { rows } = await client.query<{ email: string }>("SELECT email FROM users WHERE id = $1 FOR NO KEY UPDATE", [
      userId,
    ]);
    const answer = `Your message was sent to support. ${whereAnswered(visitorId !== null, hasMailbox(rows[0]?.email ?? ""))}`;
    const keyUuid = uuidOfKey(accountId, `message of user ${userId}`, key);
    const sent = keyUuid === undefined ? undefined : await findMessage(client, keyUuid);
    if (sent?.message === body.message) return answer;
    if (sent) throw new Problem("conflict", "This key was already used for another message");
    if ((await countOpenMessages(client, userId)) >= MOST_OPEN) {
      throw new Problem("unprocessable", `You have ${MOST_OPEN} unanswered messages. Please wait for an answer first`);
    }
    const at = new Date(clock.now());
    const uuid = await insertMessage(client, { keyUuid, userId, accountId, visitorId, ...body, at });
    await mailSupport(client, { what: "question", uuid });
    return answer;
  });
}

/** An impersonating admin's messages are on nobody's support page. */
function whereAnswered(isVisitor: boolean, hasMails: boolean): string {
  if (isVisitor) return "The answer will be mailed to you";
  return `You will find the answer ${hasMails ? "in your mail and " : ""}on the support page`;
}
