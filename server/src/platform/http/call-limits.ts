import type { FastifyRequest } from "fastify";
import type { Caller } from "./caller.ts";
import { networkOf } from "./network-of.ts";
import { throttle } from "./throttle.ts";

/** Keeps one caller from taking the dashboard from the others. A full count is a Problem `too_many`. */
export interface CallLimits {
  /** Counts a call for where it comes from, before anything is looked up for it. */
  takeAddress(request: FastifyRequest): Promise<void>;
  /** Counts the call for its caller, once that is known. */
  takeCaller(caller: Caller): Promise<void>;
}

/** A page asks some 20 calls at once and a few every seconds; a report that pages through a year asks one after the other. */
const TOKEN_SHARE = 1 / 5;
/** People of one account, and of one office behind one address, together. */
const TOGETHER = 5;

/**
 * Limits in a window of a minute: `perPerson` calls of one person in all their sessions, a fifth of that by an account's
 * token, five times that of an account, and five times `perPerson` from one address (of IPv6 a customer's network). What a
 * token and by people are counted apart, so that a runaway report locks nobody out.
 */
export function callLimits(perPerson: number, windowSeconds = 60): CallLimits {
  const limiter = (tries: number) => throttle({ tries, windowSeconds }, tooMany);
  const people = limiter(perPerson);
  const accounts = limiter(perPerson * TOGETHER);
  const tokens = limiter(Math.max(1, Math.floor(perPerson * TOKEN_SHARE)));
  const addresses = { browsers: limiter(perPerson * TOGETHER), programs: limiter(perPerson * TOGETHER) };
  return {
    takeAddress: ({ headers, ip }) =>
      (headers.authorization === undefined ? addresses.browsers : addresses.programs).take(networkOf(ip)),
    async takeCaller({ byToken, userId, accountId, impersonatorId }) {
      if (byToken) return tokens.take(accountId);
      // An admin in another's place spends their own calls.
      await people.take(impersonatorId ?? userId);
      if (impersonatorId === null) await accounts.take(accountId);
    },
  };
}

const tooMany = (seconds: number) =>
  `Too many calls. Please try again in ${seconds} ${seconds === 1 ? "second" : "seconds"}`;
