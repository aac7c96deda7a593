import type { SocialService } from "@millrace/contract";
import type { Pool, PoolClient } from "pg";
import { type User, findUserById } from "../people-store.ts";

/** Holds back others with the same identity until the end of the transaction, so that two returns make one user. */
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

/** Why an identity cannot be linked to a user: the user has another of this network, or it belongs to somebody else. */
export type LinkRefusal = "bind_another_account" | "bind_another_user";
export type LinkOutcome = "linked" | "was_linked" | LinkRefusal;

/** The refusal in an outcome, or null where the identity is the user's. */
export const refusalIn = (outcome: LinkOutcome): LinkRefusal | null =>
  outcome === "linked" || outcome === "was_linked" ? null : outcome;

/** Links an identity to a user, or says that it was theirs already, or why it cannot be. To who is just being deleted nothing is linked. */
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
  const whose = await findUserByIdentity(pool, service, subject);
  if (!whose) return "bind_another_account";
  return whose.id === userId ? "was_linked" : "bind_another_user";
}

/** True where there was such a link. */
export async function deleteIdentity(client: PoolClient, service: SocialService, userId: number): Promise<boolean> {
  const { rowCount } = await client.query("DELETE FROM social_identities WHERE service = $1 AND user_id = $2", [
    service,
    userId,
  ]);
  return rowCount === 1;
}

/** Removes every link of a user, and what was begun at a network and would still let them in or link. */
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

/** A network tells the surname apart, which a sign-up does not ask for. */
export async function setSurname(client: PoolClient, userId: number, surname: string): Promise<void> {
  await client.query("UPDATE users SET surname = $2 WHERE id = $1", [userId, surname]);
}
