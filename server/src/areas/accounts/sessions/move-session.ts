import type { FastifyReply, FastifyRequest } from "fastify";
import type { Pool } from "pg";
import type { Clock } from "../../../platform/clock.ts";
import { notSignedIn } from "../../../platform/http/problem.ts";
import type { Caller } from "../../../platform/http/caller.ts";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { newToken, tokenHash } from "../../../platform/secrets/token.ts";
import { type Act, recordAct } from "../../audit/index.ts";
import { lockUser } from "../people-store.ts";
import { sessionCookie } from "./session-cookie.ts";
import { replaceSession } from "./session-store.ts";

/**
 * Moves an admin's session to another user, or back, under a new token, and records it once even if requested
 * concurrently. Its expiry and the validity of its code do not change. Problem `unauthenticated` if the session has
 * ended or the other user is gone.
 */
export async function moveSession(
  { pool, clock }: { pool: Pool; clock: Clock },
  { caller, request, reply }: { caller: Caller; request: FastifyRequest; reply: FastifyReply },
  to: { userId: number; accountId: number; impersonatorId: number | null },
  act: Act,
): Promise<void> {
  const token = newToken();
  await inTransaction(pool, async (client) => {
    // What ends the sessions of either user meets the session before or after the move, never both; by id, as a block locks them.
    for (const id of [caller.userId, to.userId].toSorted((a, b) => a - b)) await lockUser(client, id);
    const at = new Date(clock.now());
    const moved = await replaceSession(client, caller.sessionHash, { ...to, tokenHash: tokenHash(token), at });
    if (!moved) throw notSignedIn();
    await recordAct({ pool: client, clock }, { caller, request }, act);
  });
  sessionCookie.set(request, reply, token);
}
