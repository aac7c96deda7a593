import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { Problem } from "../../../platform/http/problem.ts";

/** Keeps one account from flooding the stores and the moderators. A full count is a Problem `too_many`. */
export interface AddThrottle {
  takeLookup(accountId: number): Promise<void>;
  takeAdd(accountId: number): Promise<void>;
}

export function addThrottle(limits = { lookupsPerMinute: 10, addsPerHour: 60 }): AddThrottle {
  const lookups = new RateLimiterMemory({ points: limits.lookupsPerMinute, duration: 60 });
  const adds = new RateLimiterMemory({ points: limits.addsPerHour, duration: 3600 });
  return {
    takeLookup: (accountId) => take(lookups, accountId),
    takeAdd: (accountId) => take(adds, accountId),
  };
}

async function take(limiter: RateLimiterMemory, accountId: number): Promise<void> {
  try {
    await limiter.consume(accountId);
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    const retryAfterSeconds = Math.ceil(refusal.msBeforeNext / 1000);
    throw new Problem("too_many", "Too many tries. Please wait a little and try again", { retryAfterSeconds });
  }
}
