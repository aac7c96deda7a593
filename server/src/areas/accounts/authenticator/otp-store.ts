import type { Pool, PoolClient } from "pg";

/** An authenticator that is being set up. `secret` is sealed. */
export interface OtpSetup {
  secret: Buffer;
  recoveryHashes: string[];
  expiresAt: Date;
}

/** Stores a set-up, replacing an earlier one. Returns false if the user already has an authenticator. */
export async function saveSetup(pool: Pool, userId: number, setup: OtpSetup): Promise<boolean> {
  const { rowCount } = await pool.query(
    `INSERT INTO otp_setups (user_id, secret, recovery_hashes, expires_at)
     SELECT id, $2, $3, $4 FROM users WHERE id = $1 AND otp_secret IS NULL
     ON CONFLICT (user_id) DO UPDATE SET secret = excluded.secret, recovery_hashes = excluded.recovery_hashes,
       expires_at = excluded.expires_at`,
    [userId, setup.secret, setup.recoveryHashes, setup.expiresAt],
  );
  return rowCount === 1;
}

/** The pending set-up of a user whose row the caller has locked. */
export async function findSetup(client: PoolClient, userId: number, now: Date): Promise<OtpSetup | undefined> {
  const { rows } = await client.query<OtpSetup>(
    `SELECT secret, recovery_hashes AS "recoveryHashes", expires_at AS "expiresAt" FROM otp_setups
     WHERE user_id = $1 AND expires_at > $2`,
    [userId, now],
  );
  return rows[0];
}

/**
 * Activates a set-up with the code of `lastStep`, which is used up. Codes entered for an earlier authenticator are
 * forgotten, so every session owes a new one. Returns false if the user already has an authenticator.
 */
export async function activateSetup(
  client: PoolClient,
  userId: number,
  setup: OtpSetup,
  lastStep: number,
): Promise<boolean> {
  const { rowCount } = await client.query(
    "UPDATE users SET otp_secret = $2, otp_last_step = $3 WHERE id = $1 AND otp_secret IS NULL",
    [userId, setup.secret, lastStep],
  );
  if (rowCount !== 1) return false;
  await client.query("DELETE FROM otp_setups WHERE user_id = $1", [userId]);
  await client.query("DELETE FROM recovery_codes WHERE user_id = $1", [userId]);
  await client.query("INSERT INTO recovery_codes (user_id, code_hash) SELECT $1, unnest($2::text[])", [
    userId,
    setup.recoveryHashes,
  ]);
  await client.query("UPDATE sessions SET otp_verified_until = NULL WHERE user_id = $1 OR switched_by = $1", [userId]);
  return true;
}

/** The sealed secret of a user's authenticator, or null. */
export async function findOtpSecret(pool: Pool, userId: number): Promise<Buffer | null> {
  const { rows } = await pool.query<{ otp_secret: Buffer | null }>("SELECT otp_secret FROM users WHERE id = $1", [
    userId,
  ]);
  return rows[0]?.otp_secret ?? null;
}

/** Uses up the code of a step and of all steps before it. Returns false if another request was faster. */
export async function takeOtpStep(pool: Pool, userId: number, step: number): Promise<boolean> {
  const { rowCount } = await pool.query("UPDATE users SET otp_last_step = $2 WHERE id = $1 AND otp_last_step < $2", [
    userId,
    step,
  ]);
  return rowCount === 1;
}

/** Uses up a recovery code. Returns false if no unused code has this hash. */
export async function takeRecoveryCode(
  pool: Pool,
  userId: number,
  { hash, at }: { hash: string; at: Date },
): Promise<boolean> {
  const { rowCount } = await pool.query(
    "UPDATE recovery_codes SET used_at = $3 WHERE user_id = $1 AND code_hash = $2 AND used_at IS NULL",
    [userId, hash, at],
  );
  return rowCount === 1;
}

/** Whether a user with this e-mail has an unused recovery code with this hash. Does not use it up. */
export async function hasRecoveryCode(pool: Pool, email: string, hash: string): Promise<boolean> {
  const { rowCount } = await pool.query(
    `SELECT FROM recovery_codes r JOIN users u ON u.id = r.user_id
     WHERE u.email = lower($1) AND r.code_hash = $2 AND r.used_at IS NULL`,
    [email, hash],
  );
  return rowCount === 1;
}

/** Removes the authenticator and its recovery codes. Returns false if there is none. */
export async function removeAuthenticator(client: PoolClient, userId: number): Promise<boolean> {
  const { rowCount } = await client.query(
    "UPDATE users SET otp_secret = NULL WHERE id = $1 AND otp_secret IS NOT NULL",
    [userId],
  );
  await client.query("DELETE FROM recovery_codes WHERE user_id = $1", [userId]);
  return rowCount === 1;
}

export async function deleteEndedSetups(pool: Pool, now: Date): Promise<void> {
  await pool.query("DELETE FROM otp_setups WHERE expires_at <= $1", [now]);
}
