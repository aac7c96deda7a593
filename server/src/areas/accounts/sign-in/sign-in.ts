import { Problem } from "../../../platform/http/problem.ts";
import { type GivenCode, demandCode, hasCode } from "../authenticator/take-code.ts";
import { blocked } from "../blocked.ts";
import type { Accounts } from "../deps.ts";
import { fitsPassword } from "../passwords.ts";
import { findHomeAccount, findUserByEmail } from "../people-store.ts";
import type { SessionFor } from "../sessions/open-session.ts";
import { homeOf, safeRedirect } from "../sessions/redirect-to.ts";

export interface AskedSignIn extends GivenCode {
  email: string;
  password: string;
  redirectTo: string | undefined;
  address: string;
}

type Outcome = { codeNeeded: true } | { codeNeeded: false; session: SessionFor; redirectTo: string };

/**
 * Checks e-mail, password and, where the user has an authenticator, its code. The refusal of the first two is the same
 * sentence, after the same work, whether the e-mail is known or not; that a code is needed is told only to who knows both.
 */
export async function signIn(accounts: Accounts, asked: AskedSignIn): Promise<Outcome> {
  await accounts.signInThrottle.take(asked.email, asked.address);
  const user = await findUserByEmail(accounts.pool, asked.email);
  const passwordHash = user?.passwordHash ?? undefined;
  const fits = await fitsPassword(passwordHash, asked.password);
  const home = user && fits ? await findHomeAccount(accounts.pool, user.id) : undefined;
  if (!user || !home || passwordHash === undefined) throw new Problem("unprocessable", "Wrong e-mail or password");
  if (home.blocked) throw blocked();
  await accounts.signInThrottle.forgive(asked.email, asked.address);
  if (user.hasAuthenticator) {
    if (!hasCode(asked)) return { codeNeeded: true };
    await demandCode(accounts, user.id, asked);
  }
  return {
    codeNeeded: false,
    session: { userId: user.id, accountId: home.accountId, codeGiven: user.hasAuthenticator, passwordHash },
    redirectTo: safeRedirect(asked.redirectTo, homeOf({ can_apps: home.canApps })),
  };
}
