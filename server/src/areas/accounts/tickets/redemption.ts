import type { FastifyRequest } from "fastify";
import type { PoolClient } from "pg";
import { Problem } from "../../../platform/http/problem.ts";
import type { CodeInput } from "../authenticator/take-code.ts";
import type { Ticket } from "./ticket-store.ts";

/** The body that a link's page sends. */
export interface RedemptionInput extends CodeInput {
  pass?: string | undefined;
  pass_confirm?: string | undefined;
}

/** A usable ticket and the request that uses it. */
export interface RedemptionRequest {
  ticket: Ticket;
  input: RedemptionInput;
  request: FastifyRequest;
}

/** The effect of a ticket, once its requirements are met. */
export interface Redemption {
  /** Its name in the audit log. */
  action: string;
  codeGiven: boolean;
  /**
   * Runs in the transaction that uses the ticket up, with its final payload; if it throws, the ticket stays unchanged.
   */
  take(client: PoolClient, payload: unknown): Promise<{ userId: number; accountId: number; redirectTo: string }>;
}

/**
 * The e-mail got a login after the link was mailed. Only the mailbox's owner has the link, so this reveals nothing to
 * others.
 */
export const hasLogin = (): Problem => new Problem("conflict", "This e-mail already has a login. Please log in");
