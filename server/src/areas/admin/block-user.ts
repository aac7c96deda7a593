import type { PoolClient } from "pg";
import { Problem } from "../../platform/http/problem.ts";
import { inTransaction } from "../../platform/postgres/in-transaction.ts";
import { deleteSessionsForAccount, deleteSessionsOf } from "../accounts/index.ts";
import { type By, recordAct } from "../audit/index.ts";
import type { AdminDeps } from "./deps.ts";

/**
 * Blocks or unblocks a user. Blocking an owner blocks everyone who acts for the account: all of their sessions end at
 * once, and its campaigns buy nothing until the owner is unblocked. Problem `not_found` for an unknown user, `conflict` for
 * oneself, for the last unblocked admin, and for a user who is blocked for another reason.
 */
export async function blockUser(
  { pool, clock }: Pick<AdminDeps, "pool" | "clock">,
  by: By,
  { uuid, blocked, reason }: { uuid: string; blocked: boolean; reason: string },
): Promise<void> {
  await inTransaction(pool, async (client) => {
    const { user, openAdmins } = await lockAdminsAnd(client, uuid);
    if (!user) throw new Problem("not_found", "There is no such user");
    if (blocked && user.id === by.caller.userId) throw new Problem("conflict", "You cannot block yourself");
    if (blocked && openAdmins.every(({ id }) => id === user.id))
      throw new Problem("conflict", "The last admin cannot be blocked");
    if (blocked && user.isBlocked && user.reason !== reason)
      throw new Problem(
        "conflict",
        `This user is already blocked${user.reason === null ? "" : `. Reason: ${user.reason}`}`,
      );
    if (blocked === user.isBlocked) return;

    await client.query(
      `UPDATE users SET blocked_at = CASE WHEN $2 THEN $3::timestamptz END,
         blocked_reason = CASE WHEN $2 THEN $4 END WHERE id = $1`,
      [user.id, blocked, new Date(clock.now()), reason],
    );
    const accounts = await accountsOf(client, user.id);
    if (blocked) {
      await deleteSessionsOf(client, user.id);
      for (const { id, isOwn } of accounts) if (isOwn) await deleteSessionsForAccount(client, id);
    }
    const action = blocked ? "user_blocked" : "user_unblocked";
    const act = { action, subject: uuid, accountId: accounts[0]?.id ?? null, details: { reason } };
    await recordAct({ pool: client, clock }, by, act);
  });
}

interface Held {
  id: number;
  isMeant: boolean;
  isOpenAdmin: boolean;
  isBlocked: boolean;
  /** Why, if a reason was given. */
  reason: string | null;
}

/**
 * Finds a user and all unblocked admins, and locks them until the transaction ends, in the same order as deletions. Two
 * admins who block each other are serialized: the second is already blocked.
 */
async function lockAdminsAnd(
  client: PoolClient,
  uuid: string,
): Promise<{ user: Held | undefined; openAdmins: Held[] }> {
  const { rows } = await client.query<Held>(
    `SELECT u.id, u.uuid = $1 AS "isMeant", u.blocked_at IS NULL AND a.is AS "isOpenAdmin",
       u.blocked_at IS NOT NULL AS "isBlocked", u.blocked_reason AS reason FROM users u
     CROSS JOIN LATERAL (
       SELECT EXISTS (SELECT FROM memberships m WHERE m.user_id = u.id AND m.role = 'admin') AS is
     ) a
     WHERE u.uuid = $1 OR a.is ORDER BY u.id FOR UPDATE OF u`,
    [uuid],
  );
  return { user: rows.find(({ isMeant }) => isMeant), openAdmins: rows.filter(({ isOpenAdmin }) => isOpenAdmin) };
}

/** The accounts a user acts for, their own first. */
async function accountsOf(client: PoolClient, userId: number): Promise<{ id: number; isOwn: boolean }[]> {
  const { rows } = await client.query<{ id: number; isOwn: boolean }>(
    `SELECT account_id AS id, role IN ('owner', 'admin') AS "isOwn" FROM memberships WHERE user_id = $1
     ORDER BY "isOwn" DESC, id`,
    [userId],
  );
  return rows;
}
