import { AGREEMENT_VERSION, type Session, acceptAgreement, logout, session } from "@millrace/contract";
import type { FastifyInstance } from "fastify";
import { notSignedIn } from "../../../platform/http/problem.ts";
import { serve } from "../../../platform/http/serve.ts";
import { tokenHash } from "../../../platform/secrets/token.ts";
import type { Accounts } from "../deps.ts";
import { setAgreedVersion } from "../people-store.ts";
import { sessionCookie } from "./session-cookie.ts";
import { deleteSession, findPerson } from "./session-store.ts";

export function sessionRoutes(app: FastifyInstance, accounts: Accounts): void {
  const { pool } = accounts;

  serve(app, logout, async ({ request, reply }) => {
    const token = sessionCookie.read(request);
    if (token !== undefined) await deleteSession(pool, tokenHash(token));
    sessionCookie.clear(request, reply);
    if (request.headers.accept?.includes("application/json") === true) return { redirect_to: "/" };
    return reply.redirect("/");
  });

  serve(app, session, async ({ caller }) => {
    const [person, money, campaignBalance, hasApps] = await Promise.all([
      findPerson(pool, caller.userId, caller.sessionHash),
      accounts.earningsOf(caller.accountId),
      accounts.campaignBalanceOf(caller.accountId),
      accounts.hasApps(caller.accountId),
    ]);
    if (!person) throw notSignedIn();
    return {
      uuid: person.uuid,
      name: person.name,
      email: person.email,
      ctime: person.createdAt.toISOString(),
      current_role: caller.roles.can_apps ? "apps" : "campaign",
      role: caller.role,
      roles: caller.roles,
      user_balance: { balance: money.balanceMicros, revenue: money.revenueTodayMicros },
      campaign_balance: campaignBalance,
      globalConfig: {
        is_first_visit: person.isFirstVisit,
        is_new: caller.roles.can_apps && !hasApps,
        // An admin who is switched in cannot agree for the user.
        show_agreement: person.agreedVersion < AGREEMENT_VERSION && !caller.is_switched ? 1 : 0,
      },
      need_verify_otp: caller.owesCode,
      is_switched: caller.is_switched,
      admin_apps: caller.role === "admin",
      demo: accounts.demoStatus(),
    } satisfies Session;
  });

  serve(app, acceptAgreement, async ({ caller }) => {
    await setAgreedVersion(pool, caller.userId, AGREEMENT_VERSION);
    return { ok: 1 as const };
  });
}
