import { networkOf } from "../../platform/http/network-of.ts";
import { Problem } from "../../platform/http/problem.ts";

/** So many calls at once, and so many more each second. */
export interface Rate {
  burst: number;
  perSecond: number;
}

/** Beyond this many keys the oldest are forgotten: an attack from everywhere must not fill the memory. */
const MAX_KEYS = 100_000;

/** A bucket of calls for each key: an address (as a text), an app. */
export class RateLimit {
  readonly #rate: Rate;
  readonly #buckets = new Map<string | number, { left: number; at: number }>();

  constructor(rate: Rate) {
    this.#rate = rate;
  }

  /**
   * Takes a call, or as many as a batch stands for; Problem `too_many` with the seconds to wait where too few are left.
   * `now` in milliseconds of a clock that runs forward.
   */
  take(of: string | number, now = performance.now(), calls = 1): void {
    const key = typeof of === "string" ? networkOf(of) : of;
    const bucket = this.#buckets.get(key);
    if (!bucket) {
      if (this.#buckets.size >= MAX_KEYS) this.#forgetOldest();
      this.#buckets.set(key, { left: this.#rate.burst - calls, at: now });
      return;
    }
    const { burst, perSecond } = this.#rate;
    bucket.left = Math.min(burst, bucket.left + ((now - bucket.at) / 1000) * perSecond);
    bucket.at = now;
    if (bucket.left < calls) {
      const retryAfterSeconds = Math.max(1, Math.ceil((calls - bucket.left) / perSecond));
      throw new Problem("too_many", "Too many requests; please slow down", { retryAfterSeconds });
    }
    bucket.left -= calls;
  }

  #forgetOldest(): void {
    const [oldest] = this.#buckets.keys();
    if (oldest !== undefined) this.#buckets.delete(oldest);
  }
}

export interface ExchangeLimits {
  /** Inits and ads from one address. */
  address: Rate;
  /** Inits and ads of one app. */
  app: Rate;
  /** Beacons and pings from one address: answers to what was given out. */
  beacon: Rate;
}

/** One address may be a whole mobile network's. */
export const DEFAULT_LIMITS: ExchangeLimits = {
  address: { burst: 300, perSecond: 100 },
  app: { burst: 10_000, perSecond: 5000 },
  beacon: { burst: 1000, perSecond: 300 },
};
