import type { Holder } from "@millrace/contract";
import type { FastifyRequest } from "fastify";

/** The signed-in user, the account they act for, and the facts that the table of rights needs. */
export interface Caller extends Holder {
  userId: number;
  /** Of the user, as their session tells it; empty for an access token. */
  uuid: string;
  accountId: number;
  /** The apps that a member of chosen apps sees; null for all of the account. */
  appIds: readonly number[] | null;
  /** Hash of the session's token, with which a handler can end or rotate this session; empty for an access token. */
  sessionHash: string;
  /** The admin impersonating this user. */
  impersonatorId: number | null;
  /** The user has an authenticator, and this session has not entered a code. */
  mfaPending: boolean;
  /** The request has an access token instead of a session. */
  byToken: boolean;
}

/** Whose apps, and which of them: those that a caller sees, or all apps of an account. */
export type AppReach = Pick<Caller, "accountId" | "appIds">;

export const allAppsOf = (accountId: number): AppReach => ({ accountId, appIds: null });

/** Whether an app is within reach. */
export const reaches = ({ accountId, appIds }: AppReach, app: { id: number; accountId: number }): boolean =>
  app.accountId === accountId && (appIds === null || appIds.includes(app.id));

/** The token of `Authorization: Bearer` (RFC 6750). */
export const bearerOf = ({ headers }: FastifyRequest): string | undefined =>
  /^Bearer +(.+)$/i.exec(headers.authorization ?? "")?.[1];

/** Finds the caller of a request, or null; provided by the accounts area. */
export type Authenticate = (request: FastifyRequest) => Promise<Caller | null>;
