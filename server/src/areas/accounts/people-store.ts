import type { Role } from "@millrace/contract";
import type { Pool, PoolClient } from "pg";

/** A person as the sign-in needs them. */
export interface User {
  id: number;
  uuid: string;
  email: string;
  name: string;
  /** Null for a user who signs in only through an identity provider. */
  passwordHash: string | null;
  hasAuthenticator: boolean;
}

const USER = `id, uuid, email, name, password_hash AS "passwordHash", otp_secret IS NOT NULL AS "hasAuthenticator"`;

/**
 * Creates an account and its owner, who has accepted the given version of the terms. Returns null if the e-mail is
 * taken.
 */
export async function insertOwner(
  pool: Pool | PoolClient,
  owner: {
    email: string;
    name: string;
    passwordHash: string | null;
    role: Role;
    canApps: boolean;
    canCampaign: boolean;
    agreedVersion: number;
    demo: boolean;
  },
): Promise<{ userId: number; accountId: number } | null> {
  const { rows } = await pool.query<{ user_id: number; account_id: number }>(
    `WITH person AS (
       INSERT INTO users (email, name, password_hash, demo, agreed_version) VALUES (lower($1), $2, $3, $4, $8)
       ON CONFLICT (email) DO NOTHING RETURNING id
     ), account AS (
       INSERT INTO accounts (name, can_apps, can_campaign, demo) SELECT $2, $5, $6, $4 FROM person RETURNING id
     )
     INSERT INTO memberships (user_id, account_id, role) SELECT person.id, account.id, $7 FROM person, account
     RETURNING user_id, account_id`,
    [
      owner.email,
      owner.name,
      owner.passwordHash,
      owner.demo,
      owner.canApps,
      owner.canCampaign,
      owner.role,
      owner.agreedVersion,
    ],
  );
  const row = rows[0];
  return row ? { userId: row.user_id, accountId: row.account_id } : null;
}

export async function setPasswordHash(pool: Pool | PoolClient, userId: number, passwordHash: string): Promise<void> {
  await pool.query("UPDATE users SET password_hash = $2 WHERE id = $1", [userId, passwordHash]);
}

export async function findUserByEmail(pool: Pool | PoolClient, email: string): Promise<User | undefined> {
  const { rows } = await pool.query<User>(`SELECT ${USER} FROM users WHERE email = lower($1)`, [email]);
  return rows[0];
}

export async function findUserById(pool: Pool | PoolClient, userId: number): Promise<User | undefined> {
  const { rows } = await pool.query<User>(`SELECT ${USER} FROM users WHERE id = $1`, [userId]);
  return rows[0];
}

/**
 * Finds the user and locks the row until the transaction ends. Anything that changes a user's ways to sign in takes
 * this lock first, before tickets, set-ups and sessions, as deletion does; the fixed order prevents deadlocks.
 * Undefined if the user is gone.
 */
export async function lockUser(client: PoolClient, userId: number): Promise<User | undefined> {
  const { rows } = await client.query<User>(`SELECT ${USER} FROM users WHERE id = $1 FOR NO KEY UPDATE`, [userId]);
  return rows[0];
}

/** The account a user acts for after signing in: their own, or else the first that invited them. */
export interface HomeAccount {
  accountId: number;
  role: Role;
  canApps: boolean;
  canCampaign: boolean;
  hasAllApps: boolean;
  /** The user or the account's owner is blocked, so sign-in is refused. */
  blocked: boolean;
}

export async function findHomeAccount(pool: Pool | PoolClient, userId: number): Promise<HomeAccount | undefined> {
  const { rows } = await pool.query<HomeAccount>(
    `SELECT a.id AS "accountId", m.role, a.can_apps AS "canApps", a.can_campaign AS "canCampaign",
            m.app_ids IS NULL AS "hasAllApps", u.blocked_at IS NOT NULL OR EXISTS (
              SELECT FROM memberships o JOIN users ou ON ou.id = o.user_id
              WHERE o.account_id = a.id AND o.role = 'owner' AND ou.blocked_at IS NOT NULL
            ) AS blocked
     FROM memberships m JOIN accounts a ON a.id = m.account_id JOIN users u ON u.id = m.user_id
     WHERE m.user_id = $1 AND a.deleted_at IS NULL
     ORDER BY m.role IN ('owner', 'admin') DESC, a.id LIMIT 1`,
    [userId],
  );
  return rows[0];
}

export async function setAgreedVersion(pool: Pool, userId: number, version: number): Promise<void> {
  await pool.query("UPDATE users SET agreed_version = $2 WHERE id = $1", [userId, version]);
}
