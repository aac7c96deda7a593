import { TICKET_ERRORS } from "@millrace/contract";
import { Problem } from "../../../platform/http/problem.ts";
import type { Accounts } from "../deps.ts";
import { readTicketLink } from "./ticket-link.ts";
import { type TicketError, whyUnusable } from "./ticket-state.ts";
import { type Ticket, findTicketByLink } from "./ticket-store.ts";

/**
 * The ticket of a link, with the reason if it cannot be used. An unknown ticket counts as a guess: Problem `too_many`
 * after several.
 */
export async function lookUpTicket(
  accounts: Accounts,
  { link, address }: { link: string; address: string },
): Promise<{ ticket: Ticket; error: TicketError | null } | { ticket: null; error: "not_found" }> {
  // Counted first and given back later, so that simultaneous guesses all count.
  await accounts.ticketThrottle.takeGuess(address);
  const read = readTicketLink(link);
  const ticket = read ? await findTicketByLink(accounts.pool, read) : undefined;
  if (!ticket) return { ticket: null, error: "not_found" };
  await accounts.ticketThrottle.forgiveGuess(address);
  return { ticket, error: whyUnusable(ticket, accounts.clock.now()) };
}

/** The problem for a ticket that cannot be used: 404 if it is unknown, 409 if it is over. */
export const unusable = (error: TicketError): Problem =>
  new Problem(error === "not_found" ? "not_found" : "conflict", TICKET_ERRORS[error]);
