import type { FastifyRequest } from "fastify";
import type { PoolClient } from "pg";
import { requireCode, refuseWithoutCode } from "../authenticator/take-code.ts";
import { blocked } from "../blocked.ts";
import type { Accounts } from "../deps.ts";
import { hashPassword } from "../passwords.ts";
import { type User, findHomeAccount, findUserById, setPasswordHash } from "../people-store.ts";
import { authenticate } from "../sessions/authenticate.ts";
import { deleteSessionsOf } from "../sessions/session-store.ts";
import { chosenPassword } from "./chosen-password.ts";
import { unusable } from "./look-up-ticket.ts";
import type { RedemptionRequest, Redemption } from "./redemption.ts";
import { PAYLOADS } from "./ticket-kinds.ts";
import { type Ticket, endPasswordTickets } from "./ticket-store.ts";

/** A forgotten password: the page asks for a new one. */
export async function resetPassword(
  accounts: Accounts,
  { ticket, input, request }: RedemptionRequest,
): Promise<Redemption> {
  const pass = chosenPassword(input);
  const user = await findUserOf(accounts, ticket);
  const mfaPending = await ticketNeedsCode(accounts, ticket, user, request);
  if (mfaPending) refuseWithoutCode(input);
  // First, so that an overloaded server does not use the code up.
  const passwordHash = await hashPassword(pass);
  if (mfaPending) await requireCode(accounts, user.id, input, { link: ticket.uuid });
  return renewal(accounts, { action: "password_reset", user, passwordHash });
}

/** Applies a password that was chosen in the profile. */
export async function changePassword(
  accounts: Accounts,
  { ticket, input, request }: RedemptionRequest,
): Promise<Redemption> {
  const { passwordHash } = PAYLOADS.change_pass.parse(ticket.payload);
  const user = await findUserOf(accounts, ticket);
  if (await ticketNeedsCode(accounts, ticket, user, request)) {
    refuseWithoutCode(input);
    await requireCode(accounts, user.id, input, { link: ticket.uuid });
  }
  return renewal(accounts, { action: "password_changed", user, passwordHash });
}

/**
 * Whether the link requires a code: always for a user with an authenticator, except for a change in a browser whose
 * session has given one.
 */
export async function ticketNeedsCode(
  accounts: Accounts,
  ticket: Ticket,
  user: User,
  request: FastifyRequest,
): Promise<boolean> {
  if (!user.hasAuthenticator) return false;
  if (ticket.type !== "change_pass") return true;
  const caller = await authenticate(accounts, request);
  return caller?.userId !== user.id || caller.mfaPending || caller.is_switched || caller.byToken;
}

export async function findUserOf({ pool }: Accounts, ticket: Ticket): Promise<User> {
  const user = ticket.userId === null ? undefined : await findUserById(pool, ticket.userId);
  if (!user) throw unusable("not_found");
  return user;
}

function renewal(
  { clock }: Accounts,
  { action, user, passwordHash }: { action: string; user: User; passwordHash: string },
): Redemption {
  return {
    action,
    codeGiven: user.hasAuthenticator,
    take: async (client: PoolClient) => {
      const home = await findHomeAccount(client, user.id);
      if (!home) throw unusable("not_found");
      if (home.blocked) throw blocked();
      await setPasswordHash(client, user.id, passwordHash);
      await deleteSessionsOf(client, user.id);
      await endPasswordTickets(client, user, new Date(clock.now()));
      // The target of 'Continue to dashboard', which prefers the campaign side.
      const redirectTo = home.canCampaign ? "/campaign" : "/apps";
      return { userId: user.id, accountId: home.accountId, redirectTo };
    },
  };
}
