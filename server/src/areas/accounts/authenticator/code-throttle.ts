import { RateLimiterMemory } from "rate-limiter-flexible";
import { takePoint } from "../../../platform/http/take-point.ts";

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
    take: (userId) => takePoint(limiter, userId, "Too many wrong codes. Please wait a little and try again"),
    forgive: async (userId) => {
      await limiter.delete(userId);
    },
  };
}
