import { LOGIN_DAYS } from "@millrace/contract";
import type { Pool } from "pg";
import type { Clock } from "../../platform/clock.ts";
import { Problem } from "../../platform/http/problem.ts";
import { fitsPassword } from "./passwords.ts";
import { homeOf, safeRedirect } from "./redirect-to.ts";
import { newSessionToken, sessionHash } from "./session-token.ts";
import { findHomeAccount, findUserByEmail, insertSession } from "./store.ts";
import type { SignInThrottle } from "./sign-in-throttle.ts";

/**
 * Opens a session by e-mail and password. The refusal is the same sentence, after the same work, whether the e-mail is
 * known or not.
 */
export async function signIn(
  { pool, clock, throttle }: { pool: Pool; clock: Clock; throttle: SignInThrottle },
  asked: { email: string; password: string; redirectTo: string | undefined; address: string },
): Promise<{ token: string; redirectTo: string }> {
  await throttle.take(asked.email, asked.address);
  const user = await findUserByEmail(pool, asked.email);
  const fits = await fitsPassword(user?.passwordHash, asked.password);
  const home = user && fits ? await findHomeAccount(pool, user.id) : undefined;
  if (!user || !home) throw new Problem("unprocessable", "Wrong e-mail or password");
  await throttle.forgive(asked.email, asked.address);

  const token = newSessionToken();
  const expiresAt = new Date(clock.now() + LOGIN_DAYS * 86_400_000);
  await insertSession(pool, { tokenHash: sessionHash(token), userId: user.id, accountId: home.accountId, expiresAt });
  return { token, redirectTo: safeRedirect(asked.redirectTo, homeOf({ can_apps: home.canApps })) };
}
