import * as contract from "@millrace/contract";
import type { FastifyInstance } from "fastify";
import { serve } from "../../../platform/http/serve.ts";
import type { Accounts } from "../deps.ts";
import { openSession } from "../sessions/open-session.ts";
import { signUpBinding } from "../sign-up/sign-up-binding.ts";
import { checkTicket } from "./check-ticket.ts";
import { redeemTicket } from "./redeem-ticket.ts";
import { requestTicketQuietly } from "./request-ticket.ts";

export function ticketRoutes(app: FastifyInstance, accounts: Accounts): void {
  serve(app, contract.remind, async ({ body: { email }, request }) => {
    await accounts.ticketThrottle.takeAsker(request.ip);
    await requestTicketQuietly(accounts, { type: "reset_pass", email });
    return { sent_to: email };
  });

  serve(app, contract.checkTicket, ({ params, request }) => checkTicket(accounts, params.ticket, request));

  serve(app, contract.redeemTicket, async ({ params, body, request, reply }) => {
    const { type, session, redirectTo } = await redeemTicket(accounts, {
      link: params.ticket,
      input: body,
      request,
    });
    // The page of a change uses its link without input, so a user tricked into opening another's link must keep their
    // own session.
    const isSomebodyElse = type === "change_pass" && (await app.authenticate(request)) !== null;
    if (!isSomebodyElse) await openSession(accounts, { request, reply }, session);
    if (type === "sign_up") signUpBinding.unbind(request, reply);
    return { type, redirect_to: redirectTo };
  });
}
