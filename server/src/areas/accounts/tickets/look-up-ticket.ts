import { TICKET_ERRORS } from "@millrace/contract";
import { Problem } from "../../../platform/http/problem.ts";
import type { Accounts } from "../deps.ts";
import { readTicketLink } from "./ticket-link.ts";
import { type TicketError, whyUnusable } from "./ticket-state.ts";
import { type Ticket, findTicketByLink } from "./ticket-store.ts";

/**
 * The ticket of a link, with why it cannot be used where it cannot. What does not fit any ticket counts as a guess of whoever
 * asks: Problem `too_many` after some of them.
 */
export async function lookUpTicket(
  accounts: Accounts,
  { link, address }: { link: string; address: string },
): Promise<{ ticket: Ticket; error: TicketError | null } | { ticket: null; error: "not_found" }> {
  // Taken first and given back: guesses that come all at once are counted all.
  await accounts.ticketThrottle.takeGuess(address);
  const read = readTicketLink(link);
  const ticket = read ? await findTicketByLink(accounts.pool, read) : undefined;
  if (!ticket) return { ticket: null, error: "not_found" };
  await accounts.ticketThrottle.forgiveGuess(address);
  return { ticket, error: whyUnusable(ticket, accounts.clock.now()) };
}

/** What is said to who uses a ticket that cannot be used: 404 for no ticket, 409 for one that is over. */
export const unusable = (error: TicketError): Problem =>
  new Problem(error === "not_found" ? "not_found" : "conflict", TICKET_ERRORS[error]);
