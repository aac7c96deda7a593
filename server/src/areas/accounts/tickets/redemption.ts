import type { FastifyRequest } from "fastify";
import type { PoolClient } from "pg";
import { Problem } from "../../../platform/http/problem.ts";
import type { GivenCode } from "../authenticator/take-code.ts";
import type { Ticket } from "./ticket-store.ts";

/** What the page of a link sends. */
export interface GivenWithTicket extends GivenCode {
  pass?: string | undefined;
  pass_confirm?: string | undefined;
}

/** A ticket that can be used, and who uses it. */
export interface AskedRedemption {
  ticket: Ticket;
  given: GivenWithTicket;
  request: FastifyRequest;
}

/** What a ticket does, once all that it asks for is there. */
export interface Redemption {
  /** Its name in the audit log. */
  action: string;
  codeGiven: boolean;
  /**
   * Runs in the transaction that uses the ticket up, with what was in it to the last: where it throws, the ticket stays as
   * it was.
   */
  take(client: PoolClient, payload: unknown): Promise<{ userId: number; accountId: number; redirectTo: string }>;
}

/** The e-mail got a login after the link was mailed. Who reads this has the mailbox, so it tells nobody else. */
export const hasLogin = (): Problem => new Problem("conflict", "This e-mail has a login already. Please log in");
