import { AGREEMENT_VERSION, type SignUpRole, TEXTS } from "@millrace/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Problem } from "../../../platform/http/problem.ts";
import type { Accounts } from "../deps.ts";
import { hashPassword } from "../passwords.ts";
import { takePendingIdentity } from "../social/pending-request.ts";
import { signUpBinding } from "./sign-up-binding.ts";
import { requestTicketQuietly } from "../tickets/request-ticket.ts";

export interface SignUpInput {
  email: string;
  name: string;
  password?: string | undefined;
  role: SignUpRole;
  redirectTo: string | undefined;
  /** From a social sign-in without an e-mail. */
  reqid?: string | undefined;
}

/** The browser that signs up. */
interface By {
  request: FastifyRequest;
  reply: FastifyReply;
}

/** The side of the product that each role opens. */
const SIDES = {
  NEW: { canApps: true, canCampaign: false },
  ADV: { canApps: false, canCampaign: true },
} as const satisfies Record<SignUpRole, { canApps: boolean; canCampaign: boolean }>;

/**
 * Stores a sign-up and mails the link that opens the account. An e-mail with a login gets the same reply after the same
 * work, and a mail that says so. The chosen password counts only in this browser. Problem `unprocessable` if the social
 * sign-in has expired.
 */
export async function signUp(accounts: Accounts, input: SignUpInput, { request, reply }: By): Promise<void> {
  await accounts.ticketThrottle.takeAsker(request.ip);
  const passwordHash = input.password === undefined ? null : await hashPassword(input.password, "stranger");
  const identity = input.reqid === undefined ? null : await takePendingIdentity(accounts, request, input.reqid);
  if (input.reqid !== undefined && !identity) throw new Problem("unprocessable", TEXTS.socialSessionExpired);
  await requestTicketQuietly(accounts, {
    type: "sign_up",
    email: input.email,
    payload: {
      name: input.name,
      passwordHash,
      ...SIDES[input.role],
      agreedVersion: AGREEMENT_VERSION,
      redirectTo: input.redirectTo ?? null,
      identity,
      bindingHash: signUpBinding.bind(request, reply),
    },
  });
}
