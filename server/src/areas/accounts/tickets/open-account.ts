import { SOCIAL_ERRORS } from "@millrace/contract";
import type { FastifyRequest } from "fastify";
import { Problem } from "../../../platform/http/problem.ts";
import type { Accounts } from "../deps.ts";
import { hashPassword } from "../passwords.ts";
import { findUserByEmail, insertOwner } from "../people-store.ts";
import { homeOf, safeRedirect } from "../sessions/redirect-to.ts";
import { signUpBinding } from "../sign-up/sign-up-binding.ts";
import { insertIdentity } from "../social/identity-store.ts";
import { chosenPassword } from "./chosen-password.ts";
import { type RedemptionRequest, type Redemption, hasLogin } from "./redemption.ts";
import { PAYLOADS } from "./ticket-kinds.ts";
import { type Ticket, endTicketsLike } from "./ticket-store.ts";

/**
 * Completes a sign-up by opening the account. In the browser that signed up, the chosen password takes effect or the
 * identity is linked. In any other browser the sign-up may be a stranger's, so the password, the identity and the
 * acceptance of the terms are dropped, and the owner of the mailbox chooses a password.
 */
export async function openAccount(
  accounts: Accounts,
  { ticket, input, request }: RedemptionRequest,
): Promise<Redemption> {
  const { name, canApps, canCampaign, redirectTo, ...chosen } = PAYLOADS.sign_up.parse(ticket.payload);
  const asChosen = isFromThisBrowser(ticket, request);
  const { identity, agreedVersion } = asChosen ? chosen : { identity: null, agreedVersion: 0 };
  const pass = asChosen && input.pass === undefined ? null : chosenPassword(input);
  // Before the hash: such a link stays usable, and would cost one each time.
  if (await findUserByEmail(accounts.pool, ticket.email)) throw hasLogin();
  const passwordHash = pass === null ? chosen.passwordHash : await hashPassword(pass);
  const person = { name, canApps, canCampaign, agreedVersion, passwordHash };
  return {
    action: "account_opened",
    codeGiven: false,
    take: async (client) => {
      const owner = await insertOwner(client, { ...person, email: ticket.email, role: "owner", demo: false });
      if (!owner) throw hasLogin();
      const at = new Date(accounts.clock.now());
      if (identity) {
        const outcome = await insertIdentity(client, { ...identity, userId: owner.userId, email: ticket.email, at });
        if (outcome === "bind_another_account" || outcome === "bind_another_user") {
          throw new Problem("conflict", SOCIAL_ERRORS[outcome]);
        }
      }
      await endTicketsLike(client, ticket, at);
      return {
        ...owner,
        redirectTo: safeRedirect(
          redirectTo ?? undefined,
          homeOf({ role: "owner", canApps, canCampaign, hasAllApps: true }),
        ),
      };
    },
  };
}

/** Whether this is the browser that a sign-up was made in. */
export function isFromThisBrowser(ticket: Pick<Ticket, "payload">, request: FastifyRequest): boolean {
  const binding = signUpBinding.read(request);
  // A finished sign-up leaves no payload.
  const { data } = PAYLOADS.sign_up.safeParse(ticket.payload);
  return binding !== null && data?.bindingHash === binding;
}
