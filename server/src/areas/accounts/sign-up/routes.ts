import * as contract from "@millrace/contract";
import type { FastifyInstance } from "fastify";
import { serve } from "../../../platform/http/serve.ts";
import type { Accounts } from "../deps.ts";
import { signUp } from "./sign-up.ts";

export function signUpRoutes(app: FastifyInstance, accounts: Accounts): void {
  serve(app, contract.signUp, async ({ body, request, reply }) => {
    const { redirect_to: redirectTo, agree: _agreed, passConfirm: _same, ...input } = body;
    await signUp(accounts, { ...input, redirectTo }, { request, reply });
    return { sent_to: body.email };
  });
}
