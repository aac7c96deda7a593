import { Problem } from "../../../platform/http/problem.ts";
import type { FastifyRequest } from "fastify";
import { hasRecoveryCode } from "../authenticator/otp-store.ts";
import { type GivenCode, requireCode, hasCode, recoveryHash } from "../authenticator/take-code.ts";
import { blocked } from "../blocked.ts";
import type { Accounts } from "../deps.ts";
import { fitsPassword } from "../passwords.ts";
import { findHomeAccount, findUserByEmail } from "../people-store.ts";
import type { SessionFor } from "../sessions/open-session.ts";
import { homeOf, safeRedirect } from "../sessions/redirect-to.ts";
import { claimsDevice, familiarDevice } from "./familiar-device.ts";
import { noteFailure } from "./tell-failures.ts";

export interface AskedSignIn extends GivenCode {
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
export async function signIn(accounts: Accounts, asked: AskedSignIn): Promise<Outcome> {
  const from = { address: asked.request.ip, known: await knownBy(accounts, asked) };
  await accounts.signInThrottle.take(asked.email, from);
  const user = await findUserByEmail(accounts.pool, asked.email);
  const passwordHash = user?.passwordHash ?? undefined;
  const fits = await fitsPassword(passwordHash, asked.password, from.known === null ? "stranger" : "known");
  if (user && !fits) noteFailure(accounts, user.id, "passwords_failed");
  const home = user && fits ? await findHomeAccount(accounts.pool, user.id) : undefined;
  if (!user || !home || passwordHash === undefined) throw new Problem("unprocessable", "Wrong e-mail or password");
  if (home.blocked) throw blocked();
  await accounts.signInThrottle.forgive(asked.email, from);
  if (user.hasAuthenticator) {
    if (!hasCode(asked)) return { codeNeeded: true };
    await requireCode(accounts, user.id, asked, from.known === null ? from : { device: from.known });
  }
  return {
    codeNeeded: false,
    session: { userId: user.id, accountId: home.accountId, codeGiven: user.hasAuthenticator, passwordHash },
    redirectTo: safeRedirect(asked.redirectTo, homeOf(home)),
  };
}

/**
 * Proof, available before the password check, that the caller is no stranger: a familiar device or a recovery code.
 * Null for strangers, without a query to the store.
 */
async function knownBy({ pool, sealer }: Accounts, asked: AskedSignIn): Promise<string | null> {
  const { request, email, recovery_code: recovery } = asked;
  if (recovery !== undefined && (await hasRecoveryCode(pool, email, recoveryHash(recovery)))) return "recovery code";
  if (!claimsDevice(sealer, request, email)) return null;
  const user = await findUserByEmail(pool, email);
  return user ? familiarDevice(sealer, request, user) : null;
}
