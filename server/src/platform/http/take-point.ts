import { type RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { Problem } from "./problem.ts";

/** Counts one try of a key. Once its count is full, a Problem `too_many` in these words says when to come back. */
export async function takePoint(limiter: RateLimiterMemory, key: string | number, sentence: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    throw new Problem("too_many", sentence, { retryAfterSeconds: Math.ceil(refusal.msBeforeNext / 1000) });
  }
}
