import type { Holder } from "@millrace/contract";
import type { FastifyRequest } from "fastify";

/** The signed-in user, the account they act for, and the facts that the table of rights needs. */
export interface Caller extends Holder {
  userId: number;
  accountId: number;
  /** Hash of the session's token, so that a handler can end or rotate this very session; empty for an access token. */
  sessionHash: string;
  /** The admin impersonating this user. */
  impersonatorId: number | null;
  /** The user has an authenticator whose code this session has not given. */
  mfaPending: boolean;
  /** Asked with an access token in place of a session. */
  byToken: boolean;
}

/** Finds the caller of a request, or null; the accounts area provides it. */
export type Authenticate = (request: FastifyRequest) => Promise<Caller | null>;
