import type { PoolClient } from "pg";
import { Problem } from "../../../platform/http/problem.ts";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import type { Accounts } from "../deps.ts";
import { MAIL_TICKET } from "./mail-ticket.ts";
import { type AskedTicket, TICKET_HOURS } from "./ticket-kinds.ts";
import { insertTicket } from "./ticket-store.ts";

type Deps = Pick<Accounts, "pool" | "clock" | "jobs" | "ticketThrottle">;

const HOUR_MS = 3_600_000;

/**
 * Keeps what a link is to do, and has it mailed. Whether anybody has the e-mail is looked at by the job alone, so this takes
 * the same work and time for all. Problem `too_many` once this e-mail, or the account that invites, has had enough mails.
 * `record` runs in the ticket's transaction. Resolves to the ticket's UUID.
 */
export async function requestTicket(
  accounts: Deps,
  asked: AskedTicket,
  record?: (client: PoolClient, uuid: string) => Promise<void>,
): Promise<string> {
  const accountId = "accountId" in asked ? asked.accountId : undefined;
  await accounts.ticketThrottle.takeMail(asked.type, asked.email, accountId);
  const payload = await payloadOf(asked);
  const now = accounts.clock.now();
  return inTransaction(accounts.pool, async (client) => {
    const uuid = await insertTicket(client, {
      type: asked.type,
      email: asked.email,
      userId: "userId" in asked ? asked.userId : null,
      accountId: accountId ?? null,
      payload,
      createdAt: new Date(now),
      expiresAt: new Date(now + TICKET_HOURS[asked.type] * HOUR_MS),
    });
    await accounts.jobs.send(MAIL_TICKET, { uuid }, { client });
    await record?.(client, uuid);
    return uuid;
  });
}

/** What takes work, as a hash does, is made here: a mailbox that has had enough mails asks for none. */
async function payloadOf(asked: AskedTicket): Promise<object> {
  if (!("payload" in asked)) return {};
  return typeof asked.payload === "function" ? asked.payload() : asked.payload;
}

/** The same for who is not signed in: of a full mailbox count nothing is said, and no further mail goes out. */
export async function requestTicketQuietly(accounts: Deps, asked: AskedTicket): Promise<void> {
  try {
    await requestTicket(accounts, asked);
  } catch (error) {
    if (!(error instanceof Problem && error.code === "too_many")) throw error;
  }
}
