import * as contract from "@millrace/contract";
import type { FastifyInstance } from "fastify";
import { serve } from "../../../platform/http/serve.ts";
import { tokenHash } from "../../../platform/secrets/token.ts";
import type { Accounts } from "../deps.ts";
import { setAgreedVersion } from "../people-store.ts";
import { readSession } from "./read-session.ts";
import { returnToAdmin } from "./return-to-admin.ts";
import { sessionCookie } from "./session-cookie.ts";
import { deleteSession } from "./session-store.ts";

export function sessionRoutes(app: FastifyInstance, accounts: Accounts): void {
  const { pool } = accounts;

  serve(app, contract.logout, async ({ request, reply }) => {
    const token = sessionCookie.read(request);
    if (token !== undefined) await deleteSession(pool, tokenHash(token));
    sessionCookie.clear(request, reply);
    if (request.headers.accept?.includes("application/json") === true) return { redirect_to: "/" };
    return reply.redirect("/");
  });

  serve(app, contract.session, ({ caller }) => readSession(accounts, caller));

  serve(app, contract.acceptAgreement, async ({ caller }) => {
    await setAgreedVersion(pool, caller.userId, contract.AGREEMENT_VERSION);
    return { ok: 1 as const };
  });

  serve(app, contract.returnToAdmin, async (by) => ({ redirect_to: await returnToAdmin(accounts, by) }));
}
