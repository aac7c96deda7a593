import { login } from "@millrace/contract";
import type { FastifyInstance } from "fastify";
import { serve } from "../../../platform/http/serve.ts";
import type { Accounts } from "../deps.ts";
import { signIn } from "./sign-in.ts";
import { openSession } from "../sessions/open-session.ts";

export function signInRoutes(app: FastifyInstance, accounts: Accounts): void {
  serve(app, login, async ({ body, request, reply }) => {
    const { redirect_to: redirectTo, ...input } = body;
    const outcome = await signIn(accounts, { ...input, redirectTo, request });
    if (outcome.codeNeeded) return { require_otp_code: 1 as const };
    await openSession(accounts, { request, reply }, outcome.session);
    return { redirect_to: outcome.redirectTo };
  });
}
