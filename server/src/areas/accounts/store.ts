import type { Role } from "@millrace/contract";
import type { Pool } from "pg";

export interface User {
  id: number;
  passwordHash: string;
}

/** A signed-in person as the session reply tells of them. */
export interface SignedIn {
  userId: number;
  accountId: number;
  role: Role;
}

export interface Person {
  name: string;
  email: string;
  createdAt: Date;
  canApps: boolean;
  canCampaign: boolean;
  demo: boolean;
}

/** A new account with its owner. E-mails are kept in lower case. Returns null when the e-mail is taken. */
export async function insertOwner(
  pool: Pool,
  owner: {
    email: string;
    name: string;
    passwordHash: string;
    role: Role;
    canApps: boolean;
    canCampaign: boolean;
    demo: boolean;
  },
): Promise<{ userId: number; accountId: number } | null> {
  const { rows } = await pool.query<{ user_id: number; account_id: number }>(
    `WITH person AS (
       INSERT INTO users (email, name, password_hash, demo) VALUES (lower($1), $2, $3, $4)
       ON CONFLICT (email) DO NOTHING RETURNING id
     ), account AS (
       INSERT INTO accounts (name, can_apps, can_campaign, demo) SELECT $2, $5, $6, $4 FROM person RETURNING id
     )
     INSERT INTO memberships (user_id, account_id, role) SELECT person.id, account.id, $7 FROM person, account
     RETURNING user_id, account_id`,
    [owner.email, owner.name, owner.passwordHash, owner.demo, owner.canApps, owner.canCampaign, owner.role],
  );
  const row = rows[0];
  return row ? { userId: row.user_id, accountId: row.account_id } : null;
}

export async function setPasswordHash(pool: Pool, userId: number, passwordHash: string): Promise<void> {
  await pool.query("UPDATE users SET password_hash = $2 WHERE id = $1", [userId, passwordHash]);
}

export async function findUserByEmail(pool: Pool, email: string): Promise<User | undefined> {
  const { rows } = await pool.query<User>(
    `SELECT id, password_hash AS "passwordHash" FROM users WHERE email = lower($1)`,
    [email],
  );
  return rows[0];
}

/** The account a user acts for after signing in: the one they own, else the first they were let into. */
export async function findHomeAccount(
  pool: Pool,
  userId: number,
): Promise<{ accountId: number; canApps: boolean } | undefined> {
  const { rows } = await pool.query<{ accountId: number; canApps: boolean }>(
    `SELECT a.id AS "accountId", a.can_apps AS "canApps"
     FROM memberships m JOIN accounts a ON a.id = m.account_id
     WHERE m.user_id = $1 ORDER BY m.role = 'owner' DESC, a.id LIMIT 1`,
    [userId],
  );
  return rows[0];
}

export async function insertSession(
  pool: Pool,
  session: { tokenHash: string; userId: number; accountId: number; expiresAt: Date },
): Promise<void> {
  await pool.query("INSERT INTO sessions (token_hash, user_id, account_id, expires_at) VALUES ($1, $2, $3, $4)", [
    session.tokenHash,
    session.userId,
    session.accountId,
    session.expiresAt,
  ]);
}

/** Who holds this session and in which role, unless it has ended. */
export async function findSession(pool: Pool, tokenHash: string, now: Date): Promise<SignedIn | undefined> {
  const { rows } = await pool.query<SignedIn>(
    `SELECT s.user_id AS "userId", s.account_id AS "accountId", m.role
     FROM sessions s JOIN memberships m USING (user_id, account_id)
     WHERE s.token_hash = $1 AND s.expires_at > $2`,
    [tokenHash, now],
  );
  return rows[0];
}

export async function deleteSession(pool: Pool, tokenHash: string): Promise<void> {
  await pool.query("DELETE FROM sessions WHERE token_hash = $1", [tokenHash]);
}

export async function deleteEndedSessions(pool: Pool, now: Date): Promise<void> {
  await pool.query("DELETE FROM sessions WHERE expires_at <= $1", [now]);
}

export async function findPerson(pool: Pool, userId: number, accountId: number): Promise<Person | undefined> {
  const { rows } = await pool.query<Person>(
    `SELECT u.name, u.email, u.created_at AS "createdAt",
            a.can_apps AS "canApps", a.can_campaign AS "canCampaign", a.demo
     FROM users u JOIN accounts a ON a.id = $2 WHERE u.id = $1`,
    [userId, accountId],
  );
  return rows[0];
}
