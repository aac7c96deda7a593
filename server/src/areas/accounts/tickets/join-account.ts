import { blocked } from "../blocked.ts";
import type { Accounts } from "../deps.ts";
import { hashPassword } from "../passwords.ts";
import { insertMember } from "../people/member-store.ts";
import { findHomeAccount, findUserByEmail } from "../people-store.ts";
import { homeOf } from "../sessions/redirect-to.ts";
import { chosenPassword } from "./chosen-password.ts";
import { unusable } from "./look-up-ticket.ts";
import { type RedemptionRequest, type Redemption, hasLogin } from "./redemption.ts";
import { PAYLOADS } from "./ticket-kinds.ts";

/** Accepts an invitation: creates a login for this account only, with the password that the invited person chooses. */
export async function joinAccount(accounts: Accounts, { ticket, input }: RedemptionRequest): Promise<Redemption> {
  const { email, accountId } = ticket;
  if (accountId === null) throw unusable("not_found");
  const pass = chosenPassword(input);
  if (await findUserByEmail(accounts.pool, email)) throw hasLogin();
  const passwordHash = await hashPassword(pass);
  return {
    action: PAYLOADS.manager.parse(ticket.payload).role === "manager" ? "manager_joined" : "sub_user_joined",
    codeGiven: false,
    take: async (client, payload) => {
      // Read at this point because the inviter may have changed the role.
      const person = PAYLOADS.manager.parse(payload);
      const made = await insertMember(client, accountId, { ...person, email, passwordHash });
      if (made === null) throw hasLogin();
      const { userId } = made;
      const home = await findHomeAccount(client, userId);
      // The account was deleted since.
      if (!home) throw unusable("not_found");
      if (home.blocked) throw blocked();
      return { userId, accountId, redirectTo: homeOf(home) };
    },
  };
}
