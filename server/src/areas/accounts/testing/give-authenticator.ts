import { generateSecret, generate } from "otplib";
import type { Pool } from "pg";
import { sealer } from "../../../platform/sealed/sealer.ts";
import { OTP_SECRET, recoveryHash } from "../authenticator/take-code.ts";

/** To be handed to the server whose users have authenticators by `giveAuthenticator`. */
export const testSealer = sealer(["the secret of an authenticator's test, long enough"]);

/** Gives a user an authenticator, as if set up long ago, and returns what its codes are made of. */
export async function giveAuthenticator(pool: Pool, userId: number, recoveryCodes: string[] = []) {
  const secret = generateSecret();
  await pool.query("UPDATE users SET otp_secret = $2 WHERE id = $1", [userId, testSealer.seal(secret, OTP_SECRET)]);
  for (const code of recoveryCodes) {
    await pool.query("INSERT INTO recovery_codes (user_id, code_hash) VALUES ($1, $2)", [userId, recoveryHash(code)]);
  }
  return { secret, codeAt: (ms: number) => generate({ secret, epoch: ms / 1000 }) };
}
