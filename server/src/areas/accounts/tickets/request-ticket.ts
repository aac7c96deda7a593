import { HOUR_MS } from "@millrace/units";
import type { PoolClient } from "pg";
import { Problem } from "../../../platform/http/problem.ts";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import type { Accounts } from "../deps.ts";
import { MAIL_TICKET } from "./mail-ticket.ts";
import { type AskedTicket, TICKET_HOURS } from "./ticket-kinds.ts";
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
  asked: AskedTicket,
  record?: (client: PoolClient, uuid: string) => Promise<void>,
): Promise<NewTicket> {
  const accountId = "accountId" in asked ? asked.accountId : undefined;
  await accounts.ticketThrottle.takeMail(asked.type, asked.email, accountId);
  const payload = await payloadOf(asked);
  const createdAt = new Date(accounts.clock.now());
  const expiresAt = new Date(createdAt.getTime() + TICKET_HOURS[asked.type] * HOUR_MS);
  return inTransaction(accounts.pool, async (client) => {
    const uuid = await insertTicket(client, {
      type: asked.type,
      email: asked.email,
      userId: "userId" in asked ? asked.userId : null,
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
async function payloadOf(asked: AskedTicket): Promise<object> {
  if (!("payload" in asked)) return {};
  return typeof asked.payload === "function" ? asked.payload() : asked.payload;
}

/**
 * The same for signed-out callers: if the mailbox has had enough mails, the reply does not say so and no mail is sent.
 */
export async function requestTicketQuietly(accounts: Deps, asked: AskedTicket): Promise<void> {
  try {
    await requestTicket(accounts, asked);
  } catch (error) {
    if (!(error instanceof Problem && error.code === "too_many")) throw error;
  }
}
