import { LRUCache } from "lru-cache";
import { networkOf } from "../../../platform/http/network-of.ts";
import { Problem } from "../../../platform/http/problem.ts";

/** A token bucket: `burst` at once, then `perSecond`. */
export interface Rate {
  burst: number;
  perSecond: number;
}

/** Beyond this many keys, the least recently used ones are dropped, so that a distributed attack cannot fill the memory. */
export const MAX_RATE_KEYS = 100_000;

/** Token buckets by key: an address (a string) or an app (its id). */
export class RateLimit {
  readonly #rate: Rate;
  readonly #buckets = new LRUCache<string | number, { left: number; at: number }>({ max: MAX_RATE_KEYS });

  constructor(rate: Rate) {
    this.#rate = rate;
  }

  /**
   * Takes `cost` units; throws Problem `too_many` with the seconds to wait if fewer are left. `now` is in milliseconds
   * of a monotonic clock.
   */
  take(of: string | number, cost = 1, now = performance.now()): void {
    const { burst, perSecond } = this.#rate;
    const key = typeof of === "string" ? networkOf(of) : of;
    let bucket = this.#buckets.get(key);
    if (!bucket) this.#buckets.set(key, (bucket = { left: burst, at: now }));
    bucket.left = Math.min(burst, bucket.left + ((now - bucket.at) / 1000) * perSecond);
    bucket.at = now;
    // A cost above the burst could never be met.
    const wanted = Math.min(cost, burst);
    if (bucket.left < wanted) {
      const retryAfterSeconds = Math.max(1, Math.ceil((wanted - bucket.left) / perSecond));
      throw new Problem("too_many", "Too many requests; please slow down", { retryAfterSeconds });
    }
    bucket.left -= wanted;
  }
}

export interface ExchangeLimits {
  /** Inits, and imps to sell, from one address. */
  address: Rate;
  /** Inits and imps of one app. */
  app: Rate;
  /** Beacons and pings from one address. */
  beacon: Rate;
  /** The most imps of one request. */
  maxImps: number;
  /** The largest body of a request, unpacked. */
  maxBodyBytes: number;
}

const BURST_SECONDS = 3;
/** The rate of one address, which may be a whole mobile network or a server. */
export const addressRate = (perSecond: number): Rate => ({ burst: BURST_SECONDS * perSecond, perSecond });

export const DEFAULT_LIMITS: ExchangeLimits = {
  address: addressRate(100),
  app: { burst: 10_000, perSecond: 5000 },
  beacon: { burst: 1000, perSecond: 300 },
  maxImps: 20,
  maxBodyBytes: 64 * 1024,
};
