import { Problem } from "../../../platform/http/problem.ts";
import type { FastifyRequest } from "fastify";
import { hasRecoveryCode } from "../authenticator/otp-store.ts";
import { type CodeInput, requireCode, hasCode, recoveryHash } from "../authenticator/take-code.ts";
import { blocked } from "../blocked.ts";
import type { Accounts } from "../deps.ts";
import { fitsPassword } from "../passwords.ts";
import { findHomeAccount, findUserByEmail } from "../people-store.ts";
import type { SessionFor } from "../sessions/open-session.ts";
import { homeOf, safeRedirect } from "../sessions/redirect-to.ts";
import { claimsDevice, familiarDevice } from "./familiar-device.ts";
import { noteFailure } from "./tell-failures.ts";

export interface SignInInput extends CodeInput {
  email: string;
  password: string;
  redirectTo: string | undefined;
  request: FastifyRequest;
}

type Outcome = { codeNeeded: true } | { codeNeeded: false; session: SessionFor; redirectTo: string };

/**
 * Checks e-mail, password and, if the user has an authenticator, its code. A wrong password and an unknown e-mail get
 * the same text after the same work; only a right password reveals that a code is needed.
 */
export async function signIn(accounts: Accounts, input: SignInInput): Promise<Outcome> {
  const from = { address: input.request.ip, known: await knownBy(accounts, input) };
  await accounts.signInThrottle.take(input.email, from);
  const user = await findUserByEmail(accounts.pool, input.email);
  const passwordHash = user?.passwordHash ?? undefined;
  const fits = await fitsPassword(passwordHash, input.password, from.known === null ? "stranger" : "known");
  if (user && !fits) noteFailure(accounts, user.id, "passwords_failed");
  const home = user && fits ? await findHomeAccount(accounts.pool, user.id) : undefined;
  if (!user || !home || passwordHash === undefined) throw new Problem("unprocessable", "Wrong e-mail or password");
  if (home.blocked) throw blocked();
  await accounts.signInThrottle.forgive(input.email, from);
  if (user.hasAuthenticator) {
    if (!hasCode(input)) return { codeNeeded: true };
    await requireCode(accounts, user.id, input, from.known === null ? from : { device: from.known });
  }
  return {
    codeNeeded: false,
    session: { userId: user.id, accountId: home.accountId, codeGiven: user.hasAuthenticator, passwordHash },
    redirectTo: safeRedirect(input.redirectTo, homeOf(home)),
  };
}

/**
 * Proof, available before the password check, that the caller is no stranger: a familiar device or a recovery code.
 * Null for strangers, without a query to the store.
 */
async function knownBy({ pool, sealer }: Accounts, input: SignInInput): Promise<string | null> {
  const { request, email, recovery_code: recovery } = input;
  if (recovery !== undefined && (await hasRecoveryCode(pool, email, recoveryHash(recovery)))) return "recovery code";
  if (!claimsDevice(sealer, request, email)) return null;
  const user = await findUserByEmail(pool, email);
  return user ? familiarDevice(sealer, request, user) : null;
}
