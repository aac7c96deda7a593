import { networkOf } from "../../../platform/http/network-of.ts";
import { Problem } from "../../../platform/http/problem.ts";
import { lruCache } from "../../../platform/lru-cache.ts";

/** A token bucket: `burst` at once, then `perSecond`. */
export interface Rate {
  burst: number;
  perSecond: number;
}

/** Beyond this many keys, the least recently used ones are dropped, so that a distributed attack cannot fill the memory. */
export const MAX_RATE_KEYS = 100_000;

/** How processes share their limits. */
export interface SharedRate {
  /** What the others know a key by; no address in clear. */
  keyOf(text: string): string;
  onTaken(key: string, cost: number): void;
}

/** Token buckets by key: an address (a string) or an app (its id). */
export class RateLimit {
  readonly #rate: Rate;
  readonly #shared: SharedRate | undefined;
  readonly #buckets = lruCache<string | number, { left: number; at: number }>(MAX_RATE_KEYS);

  constructor(rate: Rate, shared?: SharedRate) {
    this.#rate = rate;
    this.#shared = shared;
  }

  /**
   * Takes `cost` units; throws Problem `too_many` with the seconds to wait if fewer are left. `now` is in milliseconds
   * of a monotonic clock.
   */
  take(of: string | number, cost = 1, now = performance.now()): void {
    const { burst, perSecond } = this.#rate;
    const plain = typeof of === "string" ? networkOf(of) : of;
    const key = this.#shared ? this.#shared.keyOf(`${plain}`) : plain;
    const bucket = this.#bucket(key, now);
    // A cost above the burst could never be met.
    const wanted = Math.min(cost, burst);
    if (bucket.left < wanted) {
      const retryAfterSeconds = Math.max(1, Math.ceil((wanted - bucket.left) / perSecond));
      throw new Problem("too_many", "Too many requests; please slow down", { retryAfterSeconds });
    }
    bucket.left -= wanted;
    if (this.#shared) this.#shared.onTaken(`${key}`, wanted);
  }

  /** Another process has admitted this much. */
  takenElsewhere(key: string, cost: number, now = performance.now()): void {
    const bucket = this.#bucket(key, now);
    bucket.left = Math.max(-this.#rate.burst, bucket.left - cost);
  }

  #bucket(key: string | number, now: number): { left: number; at: number } {
    const { burst, perSecond } = this.#rate;
    let bucket = this.#buckets.get(key);
    if (!bucket) this.#buckets.set(key, (bucket = { left: burst, at: now }));
    bucket.left = Math.min(burst, bucket.left + ((now - bucket.at) / 1000) * perSecond);
    bucket.at = now;
    return bucket;
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
