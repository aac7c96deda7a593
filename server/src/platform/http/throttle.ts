import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { Problem } from "./problem.ts";

/** Counts one try of a key. Once its count is full, a Problem `too_many` says when to come back. */
export interface Throttle {
  take(key: string | number): Promise<void>;
  /** Takes one try back. */
  giveBack(key: string | number): Promise<void>;
  /** Begins to count anew. */
  forgive(key: string | number): Promise<void>;
}

/** Counts how often a key came up in a window that begins with its first time. */
export function counter({ windowSeconds }: { windowSeconds: number }): (key: string) => Promise<number> {
  const limiter = new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: windowSeconds });
  return async (key) => (await limiter.consume(key)).consumedPoints;
}

const TOO_MANY_TRIES = "Too many tries. Please wait a little and try again";

/** So many tries in a window, refused in this sentence or, with the seconds to wait, in what it makes of them. */
export function throttle(
  limits: { tries: number; windowSeconds: number },
  sentence: string | ((waitSeconds: number) => string) = TOO_MANY_TRIES,
): Throttle {
  const limiter = new RateLimiterMemory({ points: limits.tries, duration: limits.windowSeconds });
  return {
    async take(key) {
      try {
        await limiter.consume(key);
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        const retryAfterSeconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
        const error = typeof sentence === "string" ? sentence : sentence(retryAfterSeconds);
        throw new Problem("too_many", error, { retryAfterSeconds });
      }
    },
    giveBack: async (key) => void (await limiter.reward(key)),
    forgive: async (key) => void (await limiter.delete(key)),
  };
}
