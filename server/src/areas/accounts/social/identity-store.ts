import type { SocialService } from "@millrace/contract";
import type { Pool, PoolClient } from "pg";
import { type User, findUserById } from "../people-store.ts";

/** Blocks other transactions on the same identity until this one ends, so that two returns create one user. */
export async function lockIdentity(client: PoolClient, service: SocialService, subject: string): Promise<void> {
  await client.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [`social ${service} ${subject}`]);
}

export async function findUserByIdentity(
  pool: Pool | PoolClient,
  service: SocialService,
  subject: string,
): Promise<User | undefined> {
  const { rows } = await pool.query<{ userId: number }>(
    `SELECT user_id AS "userId" FROM social_identities WHERE service = $1 AND subject = $2`,
    [service, subject],
  );
  return rows[0] && findUserById(pool, rows[0].userId);
}

/**
 * Why an identity cannot be linked: the user has another account of this identity provider, or another user has this
 * one.
 */
export type LinkRefusal = "bind_another_account" | "bind_another_user";
export type LinkOutcome = "linked" | "was_linked" | LinkRefusal;

/** The refusal in an outcome, or null if the identity is the user's. */
export const refusalIn = (outcome: LinkOutcome): LinkRefusal | null =>
  outcome === "linked" || outcome === "was_linked" ? null : outcome;

/**
 * Links an identity to a user, or reports that it was linked before or why it cannot be. A user who is being deleted
 * gets no link.
 */
export async function insertIdentity(
  pool: Pool | PoolClient,
  link: { service: SocialService; subject: string; userId: number; email: string | null; at: Date },
): Promise<LinkOutcome> {
  const { service, subject, userId } = link;
  const { rowCount } = await pool.query(
    `INSERT INTO social_identities (service, subject, user_id, email, linked_at)
     SELECT $1, $2, id, $4, $5 FROM users WHERE id = $3 FOR KEY SHARE
     ON CONFLICT DO NOTHING`,
    [service, subject, userId, link.email, link.at],
  );
  if (rowCount === 1) return "linked";
  const linkedUser = await findUserByIdentity(pool, service, subject);
  if (!linkedUser) return "bind_another_account";
  return linkedUser.id === userId ? "was_linked" : "bind_another_user";
}

/** Returns true if a link was removed. */
export async function deleteIdentity(client: PoolClient, service: SocialService, userId: number): Promise<boolean> {
  const { rowCount } = await client.query("DELETE FROM social_identities WHERE service = $1 AND user_id = $2", [
    service,
    userId,
  ]);
  return rowCount === 1;
}

/** Removes all identities of a user, and all pending requests that could still sign them in or link one. */
export async function deleteWaysIn(client: PoolClient, userId: number): Promise<void> {
  await client.query("DELETE FROM social_identities WHERE user_id = $1", [userId]);
  await client.query(
    "DELETE FROM social_requests WHERE (payload->>'userId')::int = $1 OR (payload->>'linkUserId')::int = $1",
    [userId],
  );
}

export async function findServices(pool: Pool | PoolClient, userId: number): Promise<SocialService[]> {
  const { rows } = await pool.query<{ service: SocialService }>(
    "SELECT service FROM social_identities WHERE user_id = $1",
    [userId],
  );
  return rows.map(({ service }) => service);
}

/** Sets a surname, which identity providers report and the sign-up does not ask for. */
export async function setSurname(client: PoolClient, userId: number, surname: string): Promise<void> {
  await client.query("UPDATE users SET surname = $2 WHERE id = $1", [userId, surname]);
}
