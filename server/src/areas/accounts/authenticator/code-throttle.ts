import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { Problem } from "../../../platform/http/problem.ts";

/** Guesses at codes: five in a while, whoever guesses, since only somebody with the password gets this far. */
export interface CodeThrottle {
  /** Counts one try; a Problem `too_many` says when to come back. */
  take(userId: number): Promise<void>;
  /** A right code clears the count. */
  forgive(userId: number): Promise<void>;
}

export function codeThrottle(limits = { tries: 5, windowSeconds: 300 }): CodeThrottle {
  const limiter = new RateLimiterMemory({ points: limits.tries, duration: limits.windowSeconds });
  return {
    take: async (userId) => {
      try {
        await limiter.consume(userId);
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        const retryAfterSeconds = Math.ceil(refusal.msBeforeNext / 1000);
        throw new Problem("too_many", "Too many wrong codes. Please wait a little and try again", {
          retryAfterSeconds,
        });
      }
    },
    forgive: async (userId) => {
      await limiter.delete(userId);
    },
  };
}
