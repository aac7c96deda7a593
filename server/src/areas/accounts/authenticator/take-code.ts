import { createHash } from "node:crypto";
import { OTP_DIGITS, TEXTS } from "@millrace/contract";
import { verify } from "otplib";
import type { Pool } from "pg";
import type { Clock } from "../../../platform/clock.ts";
import { Problem } from "../../../platform/http/problem.ts";
import type { Throttle } from "../../../platform/http/throttle.ts";
import type { Sealer } from "../../../platform/sealed/sealer.ts";

/** What the secrets of authenticators are sealed for. */
export const OTP_SECRET = "authenticator secret";
/** A code is good for its half minute and the one before and after it: clocks differ. */
const TOLERANCE_SECONDS = 30;
const CODE = new RegExp(`^\\d{${OTP_DIGITS}}$`);

export interface CodeDeps {
  pool: Pool;
  clock: Clock;
  sealer: Sealer;
  codeThrottle: Throttle;
}

/** A code of the authenticator, or a recovery code in its place. */
export interface GivenCode {
  otp_code?: string | undefined;
  recovery_code?: string | undefined;
}

export const hasCode = (given: GivenCode): boolean => given.otp_code !== undefined || given.recovery_code !== undefined;

/**
 * Takes the second step of a user: true where the code is right, and from then on used up, also against another request at
 * the same moment. Without an authenticator nothing is asked for. Problem `too_many` after five tries.
 */
export async function takeCode(deps: CodeDeps, userId: number, given: GivenCode): Promise<boolean> {
  const secret = await findOtpSecret(deps, userId);
  if (secret === null) return true;
  if (!hasCode(given)) return false;
  await deps.codeThrottle.take(userId);
  const right =
    given.otp_code === undefined
      ? await takeRecoveryCode(deps, userId, given.recovery_code ?? "")
      : await takeOtpCode(deps, userId, secret, given.otp_code);
  if (right) await deps.codeThrottle.forgive(userId);
  return right;
}

/** As `takeCode`, for where a code is needed to go on. Problem `unprocessable` where it is wrong. */
export async function demandCode(deps: CodeDeps, userId: number, given: GivenCode): Promise<void> {
  if (!(await takeCode(deps, userId, given))) throw new Problem("unprocessable", TEXTS.wrongCode);
}

/** The half minute (RFC 6238 time step) whose code this is, or null. */
export async function stepOf(secret: string, code: string, nowMs: number): Promise<number | null> {
  // otplib throws for anything but six digits.
  if (!CODE.test(code)) return null;
  const found = await verify({ secret, token: code, epoch: nowMs / 1000, epochTolerance: TOLERANCE_SECONDS });
  return found.valid && "timeStep" in found ? found.timeStep : null;
}

/** Recovery codes are told apart without case and hyphens. */
export const recoveryHash = (code: string): string =>
  createHash("sha256")
    .update(code.toLowerCase().replaceAll(/[^a-z0-9]/g, ""))
    .digest("hex");

async function findOtpSecret({ pool, sealer }: CodeDeps, userId: number): Promise<string | null> {
  const { rows } = await pool.query<{ otp_secret: Buffer | null }>("SELECT otp_secret FROM users WHERE id = $1", [
    userId,
  ]);
  const sealed = rows[0]?.otp_secret ?? null;
  return sealed === null ? null : sealer.open(sealed, OTP_SECRET);
}

async function takeOtpCode({ pool, clock }: CodeDeps, userId: number, secret: string, code: string): Promise<boolean> {
  const step = await stepOf(secret, code, clock.now());
  if (step === null) return false;
  // Whoever moves the step has used the code; a second request finds it moved.
  const { rowCount } = await pool.query("UPDATE users SET otp_last_step = $2 WHERE id = $1 AND otp_last_step < $2", [
    userId,
    step,
  ]);
  return rowCount === 1;
}

async function takeRecoveryCode({ pool, clock }: CodeDeps, userId: number, code: string): Promise<boolean> {
  const { rowCount } = await pool.query(
    "UPDATE recovery_codes SET used_at = $3 WHERE user_id = $1 AND code_hash = $2 AND used_at IS NULL",
    [userId, recoveryHash(code), new Date(clock.now())],
  );
  return rowCount === 1;
}
