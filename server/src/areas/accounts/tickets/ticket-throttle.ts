import type { TicketType } from "@millrace/contract";
import { RateLimiterMemory } from "rate-limiter-flexible";
import { networkOf } from "../../../platform/http/network-of.ts";
import { takePoint } from "../../../platform/http/take-point.ts";

/** Keeps mailboxes from floods, and tickets from guesses. Each count that is full is a Problem `too_many`. */
export interface TicketThrottle {
  /** One mail of this type to this address. An account, where one asks, has a count of its own for all it invites. */
  takeMail(type: TicketType, email: string, accountId?: number): Promise<void>;
  /** One request by somebody who is not signed in, whatever e-mail it names. */
  takeAsker(address: string): Promise<void>;
  /** One look at a ticket; counts as a wrong guess until `forgiveGuess`. */
  takeGuess(address: string): Promise<void>;
  forgiveGuess(address: string): Promise<void>;
}

/** Counts are per hour. */
export function ticketThrottle(
  limits = { mailsPerAddress: 3, mailsPerAccount: 30, asksPerNetwork: 60, guessesPerNetwork: 20 },
): TicketThrottle {
  const limiter = (points: number) => new RateLimiterMemory({ points, duration: 3600 });
  const mails = limiter(limits.mailsPerAddress);
  const accounts = limiter(limits.mailsPerAccount);
  const asks = limiter(limits.asksPerNetwork);
  const guesses = limiter(limits.guessesPerNetwork);
  return {
    takeMail: async (type, email, accountId) => {
      if (accountId !== undefined) await take(accounts, String(accountId));
      await take(mails, `${type} ${email.toLowerCase()}`);
    },
    takeAsker: (address) => take(asks, networkOf(address)),
    takeGuess: async (address) => {
      try {
        await take(guesses, networkOf(address));
      } catch (refusal) {
        // What was not looked at was no guess: it may have been the right link, many times at once.
        await guesses.reward(networkOf(address));
        throw refusal;
      }
    },
    forgiveGuess: async (address) => {
      await guesses.reward(networkOf(address));
    },
  };
}

const take = (limiter: RateLimiterMemory, key: string): Promise<void> =>
  takePoint(limiter, key, "Too many tries. Please wait a little and try again");
