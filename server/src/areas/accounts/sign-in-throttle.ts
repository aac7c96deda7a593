import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { Problem } from "../../platform/http/problem.ts";

/** Guesses at passwords are slowed per account and address and per address; there is no permanent lock. */
export interface SignInThrottle {
  /** Counts one try; a Problem `too_many` says when to come back. */
  take(email: string, address: string): Promise<void>;
  /** A right password clears the pair's count. */
  forgive(email: string, address: string): Promise<void>;
}

export function signInThrottle(limits = { perPair: 10, perAddress: 100, windowSeconds: 900 }): SignInThrottle {
  const perPair = new RateLimiterMemory({ points: limits.perPair, duration: limits.windowSeconds });
  const perAddress = new RateLimiterMemory({ points: limits.perAddress, duration: limits.windowSeconds });
  const pairOf = (email: string, address: string) => `${email.toLowerCase()} ${address}`;
  return {
    take: async (email, address) => {
      try {
        await Promise.all([perPair.consume(pairOf(email, address)), perAddress.consume(address)]);
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        const retryAfterSeconds = Math.ceil(refusal.msBeforeNext / 1000);
        throw new Problem("too_many", "Too many tries. Please wait a little and try again", { retryAfterSeconds });
      }
    },
    forgive: async (email, address) => {
      await perPair.delete(pairOf(email, address));
    },
  };
}
