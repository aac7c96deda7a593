import type { TicketType } from "@millrace/contract";
import { Problem } from "../../../platform/http/problem.ts";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { recordAct } from "../../audit/index.ts";
import type { Accounts } from "../deps.ts";
import { lockUser } from "../people-store.ts";
import type { SessionFor } from "../sessions/open-session.ts";
import { joinAccount } from "./join-account.ts";
import { lookUpTicket, unusable } from "./look-up-ticket.ts";
import { openAccount } from "./open-account.ts";
import type { RedemptionRequest, Redemption } from "./redemption.ts";
import { changePassword, resetPassword } from "./renew-password.ts";
import { claimTicket, lockTicketsLike } from "./ticket-store.ts";

const PREPARE = {
  reset_pass: resetPassword,
  change_pass: changePassword,
  sign_up: openAccount,
  manager: joinAccount,
} as const satisfies Record<TicketType, (accounts: Accounts, redemption: RedemptionRequest) => Promise<Redemption>>;

/**
 * Uses a mailed link once: of concurrent requests one succeeds. Problems `not_found` and `conflict` with the text of
 * the link's state, `invalid` for missing fields, `unprocessable` for a wrong code, `forbidden`, `too_many`.
 */
export async function redeemTicket(
  accounts: Accounts,
  { link, input, request }: { link: string } & Omit<RedemptionRequest, "ticket">,
): Promise<{ type: TicketType; session: SessionFor; redirectTo: string }> {
  const { ticket, error } = await lookUpTicket(accounts, { link, address: request.ip });
  if (error !== null) throw unusable(error);
  await accounts.ticketThrottle.takeUse(ticket.uuid);
  if (ticket.type === "change_pass" && input.pass !== undefined) {
    throw new Problem("invalid", { pass: "This link does not take a password" });
  }
  const { action, codeGiven, take } = await PREPARE[ticket.type](accounts, { ticket, input, request });
  const entry = await inTransaction(accounts.pool, async (client) => {
    // Locked before the ticket, as a deletion does, and as another link of the same user does.
    if (ticket.userId !== null) await lockUser(client, ticket.userId);
    // Links of several sign-ups with one e-mail: the first one used opens the account and ends the others.
    if (ticket.type === "sign_up") await lockTicketsLike(client, ticket);
    const claimed = await claimTicket(client, ticket.uuid, new Date(accounts.clock.now()));
    if (!claimed) return null;
    const { userId, accountId, redirectTo } = await take(client, claimed.payload);
    await recordAct({ pool: client, clock: accounts.clock }, { request }, { action, userId, accountId });
    return { userId, accountId, redirectTo };
  });
  if (!entry) throw unusable((await lookUpTicket(accounts, { link, address: request.ip })).error ?? "activated");
  const { redirectTo, ...ids } = entry;
  return { type: ticket.type, session: { ...ids, codeGiven }, redirectTo };
}
