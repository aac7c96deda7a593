import type { Pool, PoolClient } from "pg";
import { notSignedIn } from "../../../platform/http/problem.ts";
import type { MemberRights } from "./invitation-store.ts";

/**
 * Locks an account until the transaction ends, before its users and invitations, in the same order as its deletion, so
 * that nobody joins a deleted account and nothing deadlocks. Problem `unauthenticated` if it was deleted.
 */
export async function lockAccount(client: PoolClient, accountId: number): Promise<{ name: string }> {
  const { rows } = await client.query<{ name: string }>(
    "SELECT name FROM accounts WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE",
    [accountId],
  );
  const [account] = rows;
  if (!account) throw notSignedIn();
  return account;
}

/** Whether a user with this e-mail belongs to the account. */
export async function isMember(pool: Pool, accountId: number, email: string): Promise<boolean> {
  const { rowCount } = await pool.query(
    "SELECT FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.account_id = $1 AND u.email = $2",
    [accountId, email],
  );
  return rowCount !== 0;
}

/** Creates a login for this account only; null if the e-mail is taken. */
export async function insertMember(
  client: PoolClient,
  accountId: number,
  member: MemberRights & { uuid?: string | undefined; email: string; passwordHash: string; agreedVersion?: number },
): Promise<{ userId: number; uuid: string } | null> {
  const { uuid, email, name, passwordHash, agreedVersion = 0, role, isSuper, appIds } = member;
  const { rows } = await client.query<{ userId: number; uuid: string }>(
    `WITH person AS (
       INSERT INTO users (uuid, email, name, password_hash, agreed_version)
       VALUES (coalesce($9, gen_random_uuid()), $2, $3, $4, $8) ON CONFLICT (email) DO NOTHING RETURNING id, uuid
     ), member AS (
       INSERT INTO memberships (user_id, account_id, role, is_super, app_ids) SELECT id, $1, $5, $6, $7 FROM person
     )
     SELECT id AS "userId", uuid FROM person`,
    [accountId, email, name, passwordHash, role, isSuper, appIds, agreedVersion, uuid],
  );
  return rows[0] ?? null;
}

/** The names of the account's users with these ids; those without a name have their e-mail. */
export async function memberNames(
  pool: Pool,
  accountId: number,
  userIds: readonly number[],
): Promise<Map<number, string>> {
  const { rows } = await pool.query<{ id: number; name: string }>(
    `SELECT u.id, coalesce(nullif(trim(u.name || ' ' || u.surname), ''), u.email) AS name
     FROM memberships m JOIN users u ON u.id = m.user_id
     WHERE m.account_id = $1 AND u.id = ANY($2)`,
    [accountId, userIds],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/**
 * Removes a user from an account and ends their sessions in it. A login that belongs to no other account is deleted
 * with all its data, which frees its e-mail; resolves with true then.
 */
export async function removeMember(
  client: PoolClient,
  { accountId, userId }: { accountId: number; userId: number },
): Promise<boolean> {
  await client.query("DELETE FROM sessions WHERE account_id = $1 AND user_id = $2", [accountId, userId]);
  await client.query("DELETE FROM memberships WHERE account_id = $1 AND user_id = $2", [accountId, userId]);
  const { rowCount } = await client.query(
    "DELETE FROM users WHERE id = $1 AND NOT EXISTS (SELECT FROM memberships WHERE user_id = $1)",
    [userId],
  );
  if (rowCount === 0) return false;
  await forgetAuditAddresses(client, [userId]);
  return true;
}

/** The audit log keeps what deleted users did, under ids that no longer name anyone. */
export async function forgetAuditAddresses(client: PoolClient, userIds: readonly number[]): Promise<void> {
  await client.query("UPDATE audit_log SET address = NULL WHERE actor_user_id = ANY($1) AND address IS NOT NULL", [
    userIds,
  ]);
}
