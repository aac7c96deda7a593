import type { Role } from "@millrace/contract";
import type { Pool, PoolClient } from "pg";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";

export interface NewSession {
  tokenHash: string;
  userId: number;
  accountId: number;
  createdAt: Date;
  expiresAt: Date;
  /** Until when the code entered at sign-in is valid; null if none was required. */
  otpVerifiedUntil: Date | null;
  /** The hash that the password matched; null if none was required. */
  passwordHash: string | null;
}

/** More than anybody uses. Whoever keeps signing in would otherwise add rows without end. */
export const MOST_SESSIONS = 100;

/**
 * Opens a session and ends the user's oldest one beyond `MOST_SESSIONS`, but none of an impersonating admin. Returns
 * false if the user is gone or the password has changed.
 */
export const insertSession = (pool: Pool, session: NewSession): Promise<boolean> =>
  inTransaction(pool, async (client) => {
    if (!(await insertedSession(client, session))) return false;
    // After the lock on the user, so that of simultaneous sign-ins each sees the sessions of those before it.
    await client.query(
      `DELETE FROM sessions WHERE token_hash IN (
         SELECT token_hash FROM sessions WHERE user_id = $1 AND switched_by IS NULL AND token_hash <> $2
         ORDER BY created_at DESC OFFSET $3)`,
      [session.userId, session.tokenHash, MOST_SESSIONS - 1],
    );
    return true;
  });

/**
 * A password change ends all sessions and locks the user's row too, so that none is opened with the old password
 * afterwards.
 */
async function insertedSession(client: PoolClient, session: NewSession): Promise<boolean> {
  const { rowCount } = await client.query(
    `WITH person AS (
       SELECT id, last_seen_at FROM users WHERE id = $2 AND ($7::text IS NULL OR password_hash = $7) FOR NO KEY UPDATE
     ), seen AS (UPDATE users u SET last_seen_at = $4 FROM person WHERE u.id = person.id)
     INSERT INTO sessions (token_hash, user_id, account_id, created_at, expires_at, otp_verified_until, is_first)
     SELECT $1, $2, $3, $4, $5, $6, last_seen_at IS NULL FROM person`,
    [
      session.tokenHash,
      session.userId,
      session.accountId,
      session.createdAt,
      session.expiresAt,
      session.otpVerifiedUntil,
      session.passwordHash,
    ],
  );
  return rowCount === 1;
}

/**
 * Replaces a session, keeping its expiry and the validity of its code. Returns false if it has ended or the user is
 * gone.
 */
export async function replaceSession(
  client: PoolClient,
  from: string,
  to: { tokenHash: string; userId: number; accountId: number; impersonatorId: number | null; at: Date },
): Promise<boolean> {
  const { rowCount } = await client.query(
    `WITH before AS (DELETE FROM sessions WHERE token_hash = $6 RETURNING expires_at, otp_verified_until),
          person AS (SELECT id FROM users WHERE id = $2 FOR KEY SHARE)
     INSERT INTO sessions (token_hash, user_id, account_id, created_at, expires_at, otp_verified_until, switched_by)
     SELECT $1, person.id, $3, $4, before.expires_at, before.otp_verified_until, $5 FROM before, person`,
    [to.tokenHash, to.userId, to.accountId, to.at, to.impersonatorId, from],
  );
  return rowCount === 1;
}

export interface FoundSession {
  userId: number;
  uuid: string;
  accountId: number;
  role: Role;
  canApps: boolean;
  canCampaign: boolean;
  /** Null for all apps of the account. */
  appIds: number[] | null;
  impersonatorId: number | null;
  mfaPending: boolean;
}

/**
 * The user of a session, unless it has ended, the user or the account's owner is blocked, or its impersonating admin is
 * no longer an admin.
 */
export async function findSession(pool: Pool, tokenHash: string, now: Date): Promise<FoundSession | undefined> {
  const { rows } = await pool.query<FoundSession>(
    `SELECT s.user_id AS "userId", u.uuid, s.account_id AS "accountId", m.role, a.can_apps AS "canApps",
            a.can_campaign AS "canCampaign", m.app_ids AS "appIds", s.switched_by AS "impersonatorId",
            s.switched_by IS NULL AND u.otp_secret IS NOT NULL
              AND coalesce(s.otp_verified_until, '-infinity') <= $2 AS "mfaPending"
     FROM sessions s JOIN memberships m USING (user_id, account_id)
     JOIN accounts a ON a.id = s.account_id JOIN users u ON u.id = s.user_id
     WHERE s.token_hash = $1 AND s.expires_at > $2 AND a.deleted_at IS NULL
       AND (s.switched_by IS NOT NULL OR (u.blocked_at IS NULL AND NOT EXISTS (
         SELECT FROM memberships o JOIN users ou ON ou.id = o.user_id
         WHERE o.account_id = s.account_id AND o.role = 'owner' AND ou.blocked_at IS NOT NULL)))
       AND (s.switched_by IS NULL OR EXISTS (
         SELECT FROM memberships d JOIN users du ON du.id = d.user_id
         WHERE d.user_id = s.switched_by AND d.role = 'admin' AND du.blocked_at IS NULL))`,
    [tokenHash, now],
  );
  return rows[0];
}

/** The code that a session owed was given. */
export async function setOtpVerified(pool: Pool, tokenHash: string, until: Date): Promise<void> {
  await pool.query("UPDATE sessions SET otp_verified_until = $2 WHERE token_hash = $1", [tokenHash, until]);
}

export async function deleteSession(pool: Pool | PoolClient, tokenHash: string): Promise<void> {
  await pool.query("DELETE FROM sessions WHERE token_hash = $1", [tokenHash]);
}

/** Whether a user has a session that is not deleted. */
export async function hasSession(client: PoolClient, userId: number): Promise<boolean> {
  const { rowCount } = await client.query("SELECT FROM sessions WHERE user_id = $1 LIMIT 1", [userId]);
  return rowCount === 1;
}

/** Ends every session of a user, including their impersonations. */
export async function deleteSessionsOf(pool: Pool | PoolClient, userId: number): Promise<void> {
  await pool.query("DELETE FROM sessions WHERE user_id = $1 OR switched_by = $1", [userId]);
}

/** Ends every session in an account, except those of impersonating admins. */
export async function deleteSessionsForAccount(client: Pool | PoolClient, accountId: number): Promise<void> {
  await client.query("DELETE FROM sessions WHERE account_id = $1 AND switched_by IS NULL", [accountId]);
}

export async function deleteEndedSessions(pool: Pool, now: Date): Promise<void> {
  await pool.query("DELETE FROM sessions WHERE expires_at <= $1", [now]);
}

/** The user, account and session, as the session reply describes them. */
export interface Person {
  uuid: string;
  name: string;
  email: string;
  createdAt: Date;
  agreedVersion: number;
  isFirstVisit: boolean;
  weekStartOnSunday: boolean;
}

export async function findPerson(pool: Pool, userId: number, sessionHash: string): Promise<Person | undefined> {
  const { rows } = await pool.query<Person>(
    `SELECT u.uuid, u.name, u.email, u.created_at AS "createdAt", u.agreed_version AS "agreedVersion",
            coalesce(s.is_first, false) AS "isFirstVisit", u.week_start_on_sunday AS "weekStartOnSunday"
     FROM users u LEFT JOIN sessions s ON s.user_id = u.id AND s.token_hash = $2 WHERE u.id = $1`,
    [userId, sessionHash],
  );
  return rows[0];
}
