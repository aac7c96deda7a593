import { Problem } from "../../../platform/http/problem.ts";
import { HashSet } from "./hash-set.ts";

const BUCKET_MS = 3_600_000;

/**
 * Which events have happened, for as long as their tokens can come again. An event is let in once: while it is being
 * kept, its repetitions wait for the outcome; when it could not be kept, the next one may try.
 */
export class SeenEvents {
  /** By the hour in which the token was made: an hour's events are forgotten together. */
  readonly #buckets = new Map<number, HashSet>();
  /** Events of an earlier process, by no hour in particular. */
  readonly #restored = new HashSet();
  readonly #pending = new Map<string, Promise<void>>();
  readonly #startedAtMs: number;
  readonly #lifeMs: number;
  #isRestored = false;

  /** `lifeMs`: how long a token is valid; times are epoch milliseconds. */
  constructor(startedAtMs: number, lifeMs: number) {
    this.#startedAtMs = startedAtMs;
    this.#lifeMs = lifeMs;
  }

  /** Takes over what earlier processes have kept. Until this is done, events of their tokens are put off. */
  async restore(ids: AsyncIterable<string>): Promise<void> {
    for await (const id of ids) this.#restored.add(id);
    this.#isRestored = true;
  }

  /** Whether it happened and is kept; one that is being kept is waited for. */
  async has(id: string, issuedAtMs: number): Promise<boolean> {
    const pending = this.#pending.get(id);
    if (pending) await pending.catch(() => undefined);
    return this.#isKept(id, issuedAtMs);
  }

  /**
   * Keeps an event unless it is kept already. Rejects as `keep` does, also for those who waited for it, and with
   * Problem `unavailable` where it is not known yet whether an earlier process has it.
   */
  async once(id: string, issuedAtMs: number, keep: () => Promise<void>): Promise<"kept" | "repeated"> {
    const pending = this.#pending.get(id);
    if (pending) {
      await pending;
      return "repeated";
    }
    if (this.#isKept(id, issuedAtMs)) return "repeated";
    // A token made since the start cannot have been seen before it.
    if (!this.#isRestored && issuedAtMs <= this.#startedAtMs) {
      throw new Problem("unavailable", "Still reading what was counted before the restart", { retryAfterSeconds: 2 });
    }
    const keeping = keep();
    this.#pending.set(id, keeping);
    try {
      await keeping;
      this.#bucketOf(issuedAtMs).add(id);
      return "kept";
    } finally {
      this.#pending.delete(id);
    }
  }

  /** Forgets events whose tokens have expired. */
  forget(nowMs: number): void {
    for (const hour of this.#buckets.keys()) {
      if ((hour + 1) * BUCKET_MS + this.#lifeMs < nowMs) this.#buckets.delete(hour);
    }
  }

  get size(): number {
    let sum = this.#restored.size;
    for (const bucket of this.#buckets.values()) sum += bucket.size;
    return sum;
  }

  #isKept(id: string, issuedAtMs: number): boolean {
    return (
      // Whenever the token was made: the clock may have been set back since an earlier process made it.
      this.#buckets.get(Math.floor(issuedAtMs / BUCKET_MS))?.has(id) === true || this.#restored.has(id)
    );
  }

  #bucketOf(issuedAtMs: number): HashSet {
    const hour = Math.floor(issuedAtMs / BUCKET_MS);
    let bucket = this.#buckets.get(hour);
    if (!bucket) {
      bucket = new HashSet();
      this.#buckets.set(hour, bucket);
    }
    return bucket;
  }
}
