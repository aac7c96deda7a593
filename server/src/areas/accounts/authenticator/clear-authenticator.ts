import type { Pool } from "pg";
import type { Clock } from "../../../platform/clock.ts";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { recordAct } from "../../audit/index.ts";
import { findUserByEmail, lockUser } from "../people-store.ts";
import { deleteSessionsOf } from "../sessions/session-store.ts";
import { removeAuthenticator } from "./otp-store.ts";

/**
 * Removes the authenticator of a user who has lost it and its recovery codes, and ends their sessions. It needs no
 * code, so only the operator may call it. Returns false if no user with this e-mail has one.
 */
export async function clearAuthenticator(
  { pool, clock }: { pool: Pool; clock: Clock },
  email: string,
): Promise<boolean> {
  const user = await findUserByEmail(pool, email);
  if (!user) return false;
  return inTransaction(pool, async (client) => {
    await lockUser(client, user.id);
    if (!(await removeAuthenticator(client, user.id))) return false;
    await deleteSessionsOf(client, user.id);
    const details = { by: "operator" };
    await recordAct({ pool: client, clock }, {}, { action: "authenticator_off", subject: String(user.id), details });
    return true;
  });
}
