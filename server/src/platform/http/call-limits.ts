import type { FastifyRequest } from "fastify";
import type { Caller } from "./caller.ts";
import { networkOf } from "./network-of.ts";
import { throttle } from "./throttle.ts";

/** Keeps one caller from taking the dashboard from the others. A full count is a Problem `too_many`. */
export interface CallLimits {
  /** Counts a call by its address, before any look-up. */
  takeAddress(request: FastifyRequest): Promise<void>;
  /** Counts the call by its caller, once known and before its rights are looked at. */
  takeCaller(caller: Caller): Promise<void>;
  /** Counts a change against the caller's account, once the caller is known to have the right to it. */
  takeChange(caller: Caller): Promise<void>;
}

/**
 * A page makes some 20 calls at once and a few every seconds; a report that pages through a year makes one after
 * another.
 */
const TOKEN_SHARE = 1 / 5;
/** The users of one account, or of one office behind one address, together. */
const TOGETHER = 5;
/** Changes of an account in an hour, in proportion to a user's calls in a minute. */
const CHANGES_SHARE = 10;

/**
 * Limits per minute: `perPerson` calls of one user in all sessions, a fifth of that for an account's token, five times
 * that for an account, and five times `perPerson` for one address (of IPv6, one customer's network). Calls by token and
 * by users are counted separately, so that a runaway report does not lock users out. The changes of an account are also limited
 * by the hour: nearly each is an entry in the audit log, which nothing is ever deleted from.
 */
export function callLimits(perPerson: number, windowSeconds = 60): CallLimits {
  const limiter = (tries: number) => throttle({ tries, windowSeconds }, tooMany);
  const people = limiter(perPerson);
  // A caller who knows the password but not the code uses up none of the user's calls.
  const pending = limiter(perPerson);
  const accounts = limiter(perPerson * TOGETHER);
  const tokens = limiter(Math.max(1, Math.floor(perPerson * TOKEN_SHARE)));
  const changes = throttle({ tries: perPerson * CHANGES_SHARE, windowSeconds: 3600 }, tooManyChanges);
  const addresses = { browsers: limiter(perPerson * TOGETHER), programs: limiter(perPerson * TOGETHER) };
  return {
    takeAddress: ({ headers, ip }) =>
      (headers.authorization === undefined ? addresses.browsers : addresses.programs).take(networkOf(ip)),
    async takeCaller({ byToken, mfaPending, userId, accountId, impersonatorId }) {
      if (byToken) return tokens.take(accountId);
      if (mfaPending) return pending.take(userId);
      // An impersonating admin uses their own limit.
      await people.take(impersonatorId ?? userId);
      if (impersonatorId === null) await accounts.take(accountId);
    },
    async takeChange({ mfaPending, accountId, impersonatorId }) {
      if (!mfaPending && impersonatorId === null) await changes.take(accountId);
    },
  };
}

const tooMany = (seconds: number) =>
  `Too many calls. Please try again in ${seconds} ${seconds === 1 ? "second" : "seconds"}`;

function tooManyChanges(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  return `Too many changes. Please try again in ${minutes} ${minutes === 1 ? "minute" : "minutes"}`;
}
