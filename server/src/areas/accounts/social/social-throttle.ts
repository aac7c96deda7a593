import { RateLimiterMemory } from "rate-limiter-flexible";
import { networkOf } from "../../../platform/http/network-of.ts";
import { takePoint } from "../../../platform/http/take-point.ts";

/** Sign-ins that are begun are kept for a while: an address begins no more of them than people behind it would. */
export interface SocialThrottle {
  /** Counts one; a Problem `too_many` says when to come back. */
  take(address: string): Promise<void>;
}

export function socialThrottle(limits = { perAddress: 100, windowSeconds: 900 }): SocialThrottle {
  const limiter = new RateLimiterMemory({ points: limits.perAddress, duration: limits.windowSeconds });
  return {
    take: (address) => takePoint(limiter, networkOf(address), "Too many tries. Please wait a little and try again"),
  };
}
