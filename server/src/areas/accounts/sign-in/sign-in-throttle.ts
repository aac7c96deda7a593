import { LRUCache } from "lru-cache";
import { RateLimiterMemory } from "rate-limiter-flexible";
import { networkOf } from "../../../platform/http/network-of.ts";
import { takePoint } from "../../../platform/http/take-point.ts";

/** Guesses at passwords are slowed per address, per account, and per both together; there is no permanent lock. */
export interface SignInThrottle {
  /** Counts one try; a Problem `too_many` says when to come back. */
  take(email: string, address: string): Promise<void>;
  /** A right password clears the pair's count. */
  forgive(email: string, address: string): Promise<void>;
}

const MOST_FAMILIAR = 50_000;

/**
 * An account that is guessed at from many addresses is closed to strangers for a while; where its owner has signed in from
 * lately stays open, so that nobody can lock them out.
 */
export function signInThrottle(
  limits = { perPair: 10, perAddress: 100, perAccount: 100, windowSeconds: 900 },
): SignInThrottle {
  const limiter = (points: number) => new RateLimiterMemory({ points, duration: limits.windowSeconds });
  const [perAddress, perPair, perAccount] = [limits.perAddress, limits.perPair, limits.perAccount].map(limiter) as [
    RateLimiterMemory,
    RateLimiterMemory,
    RateLimiterMemory,
  ];
  const familiar = new LRUCache<string, true>({ max: MOST_FAMILIAR });
  const accountOf = (email: string) => email.toLowerCase();
  const pairOf = (email: string, address: string) => `${accountOf(email)} ${networkOf(address)}`;
  return {
    take: async (email, address) => {
      const pair = pairOf(email, address);
      // One after the other: whom the first stops leaves no trace in the next, whatever e-mails they make up.
      await takeTry(perAddress, networkOf(address));
      await takeTry(perPair, pair);
      if (!familiar.has(pair)) await takeTry(perAccount, accountOf(email));
    },
    forgive: async (email, address) => {
      familiar.set(pairOf(email, address), true);
      await perPair.delete(pairOf(email, address));
    },
  };
}

const takeTry = (limiter: RateLimiterMemory, key: string): Promise<void> =>
  takePoint(limiter, key, "Too many tries. Please wait a little and try again");
