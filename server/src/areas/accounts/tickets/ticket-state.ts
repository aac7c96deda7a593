import type { TICKET_ERRORS } from "@millrace/contract";
import type { Ticket } from "./ticket-store.ts";

export type TicketError = Exclude<keyof typeof TICKET_ERRORS, "other">;

/** Why a ticket cannot be used, or null. Use is reported before anything else, because its page reports success. */
export function whyUnusable(
  ticket: Pick<Ticket, "activatedAt" | "hasNewer" | "expiresAt"> | undefined,
  nowMs: number,
): TicketError | null {
  if (!ticket) return "not_found";
  if (ticket.activatedAt !== null) return "activated";
  if (ticket.hasNewer) return "not_last";
  return ticket.expiresAt.getTime() <= nowMs ? "expired" : null;
}
