import type { Pool, PoolClient } from "pg";
import { Problem } from "../../platform/http/problem.ts";
import { IS_OWNER } from "../../platform/postgres/account-owner.ts";

/** The owner of an account that is not deleted, or an admin. */
export interface Owner {
  userId: number;
  uuid: string;
  name: string;
  email: string;
  accountId: number;
  canApps: boolean;
  canCampaign: boolean;
  isAdmin: boolean;
}

/** Query fragment: owners (`u`), their account (`a`) and the membership (`m`). */
export const OWNERS = `users u JOIN memberships m ON m.user_id = u.id AND ${IS_OWNER}
  JOIN accounts a ON a.id = m.account_id AND a.deleted_at IS NULL`;

const COLUMNS = `u.id AS "userId", u.uuid, u.name, u.email, a.id AS "accountId", a.can_apps AS "canApps",
  a.can_campaign AS "canCampaign", m.role = 'admin' AS "isAdmin"`;

/** Finds an owner by the user's public id. Problem `not_found` for a user who owns no account. */
export async function findOwner(pool: Pool, uuid: string): Promise<Owner> {
  const { rows } = await pool.query<Owner>(`SELECT ${COLUMNS} FROM ${OWNERS} WHERE u.uuid = $1 ORDER BY a.id LIMIT 1`, [
    uuid,
  ]);
  const [owner] = rows;
  if (!owner) throw new Problem("not_found", "There is no such user");
  return owner;
}

/** Finds an owner by account; undefined if it is deleted. */
export async function findOwnerOf(pool: Pool | PoolClient, accountId: number): Promise<Owner | undefined> {
  const { rows } = await pool.query<Owner>(`SELECT ${COLUMNS} FROM ${OWNERS} WHERE a.id = $1 ORDER BY u.id LIMIT 1`, [
    accountId,
  ]);
  return rows[0];
}
