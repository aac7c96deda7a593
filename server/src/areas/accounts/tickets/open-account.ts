import { SOCIAL_ERRORS } from "@millrace/contract";
import { Problem } from "../../../platform/http/problem.ts";
import type { Accounts } from "../deps.ts";
import { insertOwner } from "../people-store.ts";
import { homeOf, safeRedirect } from "../sessions/redirect-to.ts";
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
        const { rowCount } = await client.query(
          `INSERT INTO social_identities (service, subject, user_id, email, linked_at) VALUES ($1, $2, $3, $4, $5)
           ON CONFLICT DO NOTHING`,
          [identity.service, identity.subject, owner.userId, ticket.email, new Date(accounts.clock.now())],
        );
        if (rowCount === 0) throw new Problem("conflict", SOCIAL_ERRORS.bind_another_user);
      }
      return { ...owner, redirectTo: safeRedirect(redirectTo ?? undefined, homeOf({ can_apps: person.canApps })) };
    },
  };
}
