import { RateLimiterMemory } from "rate-limiter-flexible";
import { takePoint } from "../../platform/http/take-point.ts";

/** Counts a message of a person; a Problem `too_many` says when to come back. */
export type SupportThrottle = (userId: number) => Promise<void>;

export function supportThrottle(limits = { messages: 5, windowSeconds: 600 }): SupportThrottle {
  const limiter = new RateLimiterMemory({ points: limits.messages, duration: limits.windowSeconds });
  return (userId) => takePoint(limiter, userId, "That were many messages. Please wait a little before the next one");
}
