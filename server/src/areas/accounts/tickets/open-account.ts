import { SOCIAL_ERRORS } from "@millrace/contract";
import { Problem } from "../../../platform/http/problem.ts";
import type { Accounts } from "../deps.ts";
import { insertOwner } from "../people-store.ts";
import { homeOf, safeRedirect } from "../sessions/redirect-to.ts";
import { insertIdentity } from "../social/identity-store.ts";
import { type AskedRedemption, type Redemption, hasLogin } from "./redemption.ts";
import { PAYLOADS } from "./ticket-kinds.ts";

/** The end of a sign-up: the account opens, and the network's account it began with is linked. */
export async function openAccount(accounts: Accounts, { ticket }: AskedRedemption): Promise<Redemption> {
  const { identity, redirectTo, ...person } = PAYLOADS.sign_up.parse(ticket.payload);
  return {
    action: "account_opened",
    codeGiven: false,
    take: async (client) => {
      const owner = await insertOwner(client, { ...person, email: ticket.email, role: "owner", demo: false });
      if (!owner) throw hasLogin();
      if (identity) {
        const at = new Date(accounts.clock.now());
        const outcome = await insertIdentity(client, { ...identity, userId: owner.userId, email: ticket.email, at });
        if (outcome === "bind_another_account" || outcome === "bind_another_user") {
          throw new Problem("conflict", SOCIAL_ERRORS[outcome]);
        }
      }
      return { ...owner, redirectTo: safeRedirect(redirectTo ?? undefined, homeOf({ can_apps: person.canApps })) };
    },
  };
}
