import { HOUR_MS } from "@millrace/units";
import type { PoolClient } from "pg";
import { Problem } from "../../../platform/http/problem.ts";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import type { Accounts } from "../deps.ts";
import { MAIL_TICKET } from "./mail-ticket.ts";
import { type TicketInput, TICKET_HOURS } from "./ticket-kinds.ts";
import { insertTicket } from "./ticket-store.ts";

type Deps = Pick<Accounts, "pool" | "clock" | "jobs" | "ticketThrottle">;

interface NewTicket {
  uuid: string;
  createdAt: Date;
  expiresAt: Date;
}

/**
 * Stores a ticket and mails its link. Only the job checks whether the e-mail has a login, so the request takes the same
 * work and time for every e-mail. Problem `too_many` after too many mails to this e-mail or from the inviting account.
 * `record` runs in the ticket's transaction.
 */
export async function requestTicket(
  accounts: Deps,
  input: TicketInput,
  record?: (client: PoolClient, uuid: string) => Promise<void>,
): Promise<NewTicket> {
  const accountId = "accountId" in input ? input.accountId : undefined;
  await accounts.ticketThrottle.takeMail(input.type, input.email, accountId);
  const payload = await payloadOf(input);
  const createdAt = new Date(accounts.clock.now());
  const expiresAt = new Date(createdAt.getTime() + TICKET_HOURS[input.type] * HOUR_MS);
  return inTransaction(accounts.pool, async (client) => {
    const uuid = await insertTicket(client, {
      type: input.type,
      email: input.email,
      userId: "userId" in input ? input.userId : null,
      accountId: accountId ?? null,
      payload,
      createdAt,
      expiresAt,
    });
    await accounts.jobs.send(MAIL_TICKET, { uuid }, { client });
    await record?.(client, uuid);
    return { uuid, createdAt, expiresAt };
  });
}

/** Expensive values such as hashes are computed here, after the limit on mails. */
async function payloadOf(input: TicketInput): Promise<object> {
  if (!("payload" in input)) return {};
  return typeof input.payload === "function" ? input.payload() : input.payload;
}

/**
 * The same for signed-out callers: if the mailbox has had enough mails, the reply does not say so and no mail is sent.
 */
export async function requestTicketQuietly(accounts: Deps, input: TicketInput): Promise<void> {
  try {
    await requestTicket(accounts, input);
  } catch (error) {
    if (!(error instanceof Problem && error.code === "too_many")) throw error;
  }
}
