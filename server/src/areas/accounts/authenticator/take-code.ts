import { OTP_DIGITS, TEXTS } from "@millrace/contract";
import { verify } from "otplib";
import { Problem } from "../../../platform/http/problem.ts";
import { tokenHash } from "../../../platform/secrets/token.ts";
import type { Accounts } from "../deps.ts";
import { noteFailure } from "../sign-in/tell-failures.ts";
import type { CodeSource } from "./code-throttle.ts";
import { findOtpSecret, takeOtpStep, takeRecoveryCode } from "./otp-store.ts";

/** The sealing purpose of authenticator secrets. */
export const OTP_SECRET = "authenticator secret";
/** A code is valid for its own half minute and the ones before and after it, because clocks differ. */
const TOLERANCE_SECONDS = 30;
const CODE = new RegExp(`^\\d{${OTP_DIGITS}}$`);

type CodeDeps = Pick<Accounts, "pool" | "clock" | "sealer" | "codeThrottle" | "failures" | "jobs" | "log">;

/** An authenticator code, or a recovery code in its place. */
export interface CodeInput {
  otp_code?: string | undefined;
  recovery_code?: string | undefined;
}

export const hasCode = (input: CodeInput): boolean => input.otp_code !== undefined || input.recovery_code !== undefined;

/**
 * Checks the code of a user's second step. Returns true if it is right, and uses it up, even against concurrent
 * requests. A user without an authenticator needs none. Problem `too_many` after five codes from one source; recovery
 * codes are not counted, so that guesses never lock the owner out.
 */
export async function takeCode(deps: CodeDeps, userId: number, input: CodeInput, from: CodeSource): Promise<boolean> {
  const { pool, clock, sealer, codeThrottle } = deps;
  const sealed = await findOtpSecret(pool, userId);
  if (sealed === null) return true;
  if (!hasCode(input)) return false;
  const { otp_code: code, recovery_code: recovery = "" } = input;
  if (code === undefined) {
    return takeRecoveryCode(pool, userId, { hash: recoveryHash(recovery), at: new Date(clock.now()) });
  }
  await codeThrottle.take(userId, from);
  const step = await stepOf(sealer.open(sealed, OTP_SECRET), code, clock.now());
  const isRight = step !== null && (await takeOtpStep(pool, userId, step));
  if (isRight) await codeThrottle.forgive(userId, from);
  else noteFailure(deps, userId, "codes_failed");
  return isRight;
}

/** Requires a code before a try is counted: Problem `invalid` if there is none. */
export function refuseWithoutCode(input: CodeInput): void {
  if (!hasCode(input)) throw new Problem("invalid", { otp_code: TEXTS.required });
}

/** As `takeCode`, but a wrong code is a Problem `unprocessable`. */
export async function requireCode(deps: CodeDeps, userId: number, input: CodeInput, from: CodeSource): Promise<void> {
  if (!(await takeCode(deps, userId, input, from))) throw new Problem("unprocessable", TEXTS.wrongCode);
}

/** The RFC 6238 time step that has this code, or null. */
export async function stepOf(secret: string, code: string, nowMs: number): Promise<number | null> {
  // otplib throws for anything but six digits.
  if (!CODE.test(code)) return null;
  const found = await verify({ secret, token: code, epoch: nowMs / 1000, epochTolerance: TOLERANCE_SECONDS });
  return found.valid && "timeStep" in found ? found.timeStep : null;
}

/** Recovery codes are compared without case and hyphens. */
export const recoveryHash = (code: string): string => tokenHash(code.toLowerCase().replaceAll(/[^a-z0-9]/g, ""));
