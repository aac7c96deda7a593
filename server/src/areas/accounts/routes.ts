import { type Session, login, logout, session } from "@millrace/contract";
import type { FastifyInstance } from "fastify";
import { Problem } from "../../platform/http/problem.ts";
import { serve } from "../../platform/http/serve.ts";
import type { AccountsDeps } from "./index.ts";
import { clearSessionCookie, readSessionCookie, setSessionCookie } from "./session-cookie.ts";
import { sessionHash } from "./session-token.ts";
import { signIn } from "./sign-in.ts";
import { signInThrottle } from "./sign-in-throttle.ts";
import { deleteSession, findPerson } from "./store.ts";

export function accountRoutes(app: FastifyInstance, deps: AccountsDeps): void {
  const { pool, clock } = deps;
  const throttle = signInThrottle();

  serve(app, login, async ({ body, request, reply }) => {
    const asked = { email: body.email, password: body.password, redirectTo: body.redirect_to, address: request.ip };
    const { token, redirectTo } = await signIn({ pool, clock, throttle }, asked);
    // Signing in rotates: whatever session this browser held before is over.
    const previous = readSessionCookie(request);
    if (previous !== undefined) await deleteSession(pool, sessionHash(previous));
    setSessionCookie(request, reply, token);
    return { redirect_to: redirectTo };
  });

  serve(app, logout, async ({ request, reply }) => {
    const token = readSessionCookie(request);
    if (token !== undefined) await deleteSession(pool, sessionHash(token));
    clearSessionCookie(request, reply);
    if (request.headers.accept?.includes("application/json") === true) return { redirect_to: "/" };
    return reply.redirect("/");
  });

  serve(app, session, async ({ caller }) => {
    const [person, money] = await Promise.all([
      findPerson(pool, caller.userId, caller.accountId),
      deps.earningsOf(caller.accountId),
    ]);
    if (!person) throw new Problem("unauthenticated", "Please log in");
    return {
      name: person.name,
      email: person.email,
      ctime: person.createdAt.toISOString(),
      current_role: person.canApps ? "apps" : "campaign",
      roles: { can_apps: person.canApps, can_campaign: person.canCampaign },
      user_balance: { balance: money.balanceMicros, revenue: money.revenueTodayMicros },
      campaign_balance: 0,
      globalConfig: { is_first_visit: false, is_new: false, show_agreement: 0 },
      need_verify_otp: false,
      is_switched: false,
      admin_apps: caller.role === "admin",
      demo: deps.demoStatus(),
    } satisfies Session;
  });
}
