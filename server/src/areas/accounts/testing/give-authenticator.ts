import { generateSecret, generate } from "otplib";
import type { Pool } from "pg";
import { testSealer } from "../../../platform/testing/test-sealer.ts";
import { OTP_SECRET, recoveryHash } from "../authenticator/take-code.ts";

/** Gives a user an authenticator set up long ago, and returns its secret. */
export async function giveAuthenticator(pool: Pool, userId: number, recoveryCodes: string[] = []) {
  const secret = generateSecret();
  await pool.query("UPDATE users SET otp_secret = $2 WHERE id = $1", [userId, testSealer.seal(secret, OTP_SECRET)]);
  for (const code of recoveryCodes) {
    await pool.query("INSERT INTO recovery_codes (user_id, code_hash) VALUES ($1, $2)", [userId, recoveryHash(code)]);
  }
  return { secret, codeAt: (ms: number) => generate({ secret, epoch: ms / 1000 }) };
}
