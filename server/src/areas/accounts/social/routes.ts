import { linkSocial, socialLogin, socialReturn, unlinkSocial } from "@millrace/contract";
import type { FastifyInstance } from "fastify";
import { Problem } from "../../../platform/http/problem.ts";
import { serve } from "../../../platform/http/serve.ts";
import { refuseWithoutCode } from "../authenticator/take-code.ts";
import type { Accounts } from "../deps.ts";
import { type Social, beginSocial } from "./begin-social.ts";
import { oauthCallback } from "./oauth-callback.ts";
import { enterSocialCode } from "./enter-social-code.ts";
import { unlinkIdentity } from "./link-identity.ts";
import { identityProviders } from "./identity-providers.ts";
import { socialThrottle } from "../throttles.ts";

export function socialRoutes(app: FastifyInstance, accounts: Accounts): void {
  const { clock, log } = accounts;
  const providers = identityProviders({ social: accounts.settings.social, clock, log });
  const social: Social = { ...accounts, identityProviders: providers, socialThrottle: socialThrottle() };

  serve(app, socialLogin, async ({ params: { service }, query, body, request, reply }) => {
    providers.demand(service);
    const { reqid, ...input } = { ...query, ...body };
    if (reqid === undefined) {
      const { role = "NEW", redirect_to: redirectTo = null } = query;
      const begun = { service, role, redirectTo, linkUserId: null };
      return { ok: 1 as const, redirect_to: await beginSocial(social, { request, reply }, begun) };
    }
    refuseWithoutCode(input);
    const done = await enterSocialCode(social, { request, reply }, { ...input, service, reqid });
    return { ok: 1 as const, redirect_to: done.redirectTo, user_id: done.userUuid };
  });

  serve(app, socialReturn, async ({ params: { service }, query, request, reply }) => {
    providers.demand(service);
    const caller = await app.authenticate(request);
    // This address contains a code, so it must not be cached or sent as a referrer.
    void reply.headers({ "cache-control": "no-store", "referrer-policy": "no-referrer" });
    return reply.redirect(await oauthCallback(social, { service, query, request, reply, caller }));
  });

  serve(app, linkSocial, async ({ params: { service }, caller, request, reply }) => {
    const begun = { service, role: "NEW", redirectTo: null, linkUserId: caller.userId } as const;
    const address = await beginSocial(social, { request, reply }, begun).catch((error: unknown) => {
      // A browser that navigates here is better off on the profile page than on a line of JSON.
      const isPage = request.headers.accept?.includes("text/html") === true;
      if (!isPage || !(error instanceof Problem) || error.code === "not_found") throw error;
      return `/profile?error=${error.code}&service=${service}`;
    });
    return reply.redirect(address);
  });

  serve(app, unlinkSocial, async ({ params: { service }, caller, request }) => {
    await unlinkIdentity(accounts, { caller, request }, service);
    return { ok: 1 as const };
  });
}
