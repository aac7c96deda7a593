import type { TicketType } from "@millrace/contract";
import type { FastifyRequest } from "fastify";
import type { Accounts } from "../deps.ts";
import { lookUpTicket } from "./look-up-ticket.ts";
import { isFromThisBrowser } from "./open-account.ts";
import { findUserOf, ticketNeedsCode } from "./renew-password.ts";
import type { TicketError } from "./ticket-state.ts";
import type { Ticket } from "./ticket-store.ts";

interface Check {
  type: TicketType | null;
  has_pass: boolean;
  error?: TicketError | "need_verify_otp";
}

/** The content of a link's page. Reading changes nothing, so a mailbox's link scanner cannot use the link up. */
export async function checkTicket(accounts: Accounts, link: string, request: FastifyRequest): Promise<Check> {
  const { ticket, error } = await lookUpTicket(accounts, { link, address: request.ip });
  if (!ticket) return { type: null, has_pass: false, error };
  const state = { type: ticket.type, has_pass: hasPassword(ticket, request) };
  if (error !== null) return { ...state, error };
  if (ticket.type !== "reset_pass" && ticket.type !== "change_pass") return state;
  const user = await findUserOf(accounts, ticket);
  return (await ticketNeedsCode(accounts, ticket, user, request)) ? { ...state, error: "need_verify_otp" } : state;
}

/** Whether the password was already chosen in this browser; if not, the page asks for one. */
function hasPassword(ticket: Ticket, request: FastifyRequest): boolean {
  return ticket.type === "change_pass" || (ticket.type === "sign_up" && isFromThisBrowser(ticket, request));
}
