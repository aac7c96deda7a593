import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { Problem } from "../../platform/http/problem.ts";

/** Counts a message of a person; a Problem `too_many` says when to come back. */
export type SupportThrottle = (userId: number) => Promise<void>;

export function supportThrottle(limits = { messages: 5, windowSeconds: 600 }): SupportThrottle {
  const limiter = new RateLimiterMemory({ points: limits.messages, duration: limits.windowSeconds });
  return async (userId) => {
    try {
      await limiter.consume(userId);
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      const retryAfterSeconds = Math.ceil(refusal.msBeforeNext / 1000);
      throw new Problem("too_many", "That were many messages. Please wait a little before the next one", {
        retryAfterSeconds,
      });
    }
  };
}
