import { TEXTS } from "@millrace/contract";
import { generateSecret, generateURI } from "otplib";
import { Problem, notSignedIn } from "../../../platform/http/problem.ts";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { type By, recordAct } from "../../audit/index.ts";
import type { Accounts } from "../deps.ts";
import { sendNotice } from "../notices/send-notice.ts";
import { findUserById, lockUser } from "../people-store.ts";
import { deleteSession } from "../sessions/session-store.ts";
import { findSetup, activateSetup, saveSetup, removeAuthenticator } from "./otp-store.ts";
import { newRecoveryCodes } from "./recovery-codes.ts";
import { type CodeInput, OTP_SECRET, requireCode, stepOf } from "./take-code.ts";

const SETUP_MINUTES = 10;
const ALREADY_ON = "An authenticator is already on. Switch it off before you set up another one";

/**
 * Begins to set up an authenticator; it takes effect with `switchOn`. Returns secret and recovery codes, which are
 * never shown again. Problem `conflict` while an authenticator is on.
 */
export async function beginSetup(accounts: Accounts, { caller }: Pick<By, "caller">) {
  const { pool, clock, sealer, publicUrl } = accounts;
  const user = await findUserById(pool, caller.userId);
  if (!user) throw notSignedIn();
  const secret = generateSecret();
  const recovery = newRecoveryCodes();
  const expiresAt = new Date(clock.now() + SETUP_MINUTES * 60_000);
  const sealed = sealer.seal(secret, OTP_SECRET);
  const begun = await saveSetup(pool, user.id, { secret: sealed, recoveryHashes: recovery.hashes, expiresAt });
  if (!begun) throw new Problem("conflict", ALREADY_ON);
  // The issuer without its port: a colon separates issuer and user in the address (Key Uri Format).
  const issuer = `Millrace at ${new URL(publicUrl).hostname}`;
  return {
    otp_secret: secret,
    otpauth_url: generateURI({ issuer, label: user.email, secret }),
    recovery_codes: recovery.codes,
    expires: expiresAt.toISOString(),
  };
}

/**
 * Switches on the pending authenticator, proven by one of its codes, and ends this session; the user's other sessions
 * become MFA pending. Problem `unprocessable` for a wrong code or a secret other than the pending one.
 */
export async function switchOn(accounts: Accounts, by: By, input: { secret: string; code: string }): Promise<void> {
  const { pool, clock, sealer } = accounts;
  const { userId, sessionHash } = by.caller;
  await inTransaction(pool, async (client) => {
    await lockUser(client, userId);
    const setup = await findSetup(client, userId, new Date(clock.now()));
    if (!setup || sealer.open(setup.secret, OTP_SECRET) !== input.secret)
      throw new Problem("unprocessable", "This set-up has expired. Please start again");
    const step = await stepOf(input.secret, input.code, clock.now());
    if (step === null) throw new Problem("unprocessable", TEXTS.wrongCode);
    if (!(await activateSetup(client, userId, setup, step))) throw new Problem("conflict", ALREADY_ON);
    await deleteSession(client, sessionHash);
    await recordAct({ pool: client, clock }, by, { action: "authenticator_on", subject: String(userId) });
    await sendNotice(accounts, client, { kind: "authenticator_on", userId });
  });
}

/**
 * Switches the authenticator off, proven by one of its codes or a recovery code, and ends this session. Problem
 * `conflict` if it is off, `unprocessable` for a wrong code, `too_many` after five of them.
 */
export async function switchOff(accounts: Accounts, by: By, input: CodeInput): Promise<void> {
  const { pool, clock } = accounts;
  const { userId, sessionHash } = by.caller;
  const none = new Problem("conflict", "No authenticator is on");
  const user = await findUserById(pool, userId);
  if (!user?.hasAuthenticator) throw none;
  await requireCode(accounts, userId, input, { session: sessionHash });
  await inTransaction(pool, async (client) => {
    if (!(await removeAuthenticator(client, userId))) throw none;
    await deleteSession(client, sessionHash);
    await recordAct({ pool: client, clock }, by, { action: "authenticator_off", subject: String(userId) });
    await sendNotice(accounts, client, { kind: "authenticator_off", userId });
  });
}
