import { Problem } from "../../../platform/http/problem.ts";
import { HashSet } from "./hash-set.ts";

const BUCKET_MS = 3_600_000;

/** An event's id, and when its token was made (epoch milliseconds). */
export interface Claim {
  id: string;
  issuedAtMs: number;
}

/**
 * Remembers events until their tokens expire, so that each is stored once. While an event is being stored, its
 * repetitions wait for the outcome; if storing fails, the next repetition may try.
 */
export class SeenEvents {
  /** By the hour in which the token was made, because an hour's events are forgotten together. */
  readonly #buckets = new Map<number, HashSet>();
  /** Events of earlier processes, of any hour. */
  readonly #restored = new HashSet();
  readonly #pending = new Map<string, Promise<unknown>>();
  readonly #startedAtMs: number;
  readonly #lifeMs: number;
  #isRestored = false;

  /** `lifeMs` is how long a token is valid. Times are epoch milliseconds. */
  constructor(startedAtMs: number, lifeMs: number) {
    this.#startedAtMs = startedAtMs;
    this.#lifeMs = lifeMs;
  }

  /** Adopts the events that earlier processes stored. Until then, events with older tokens are deferred. */
  async restore(ids: AsyncIterable<string>): Promise<void> {
    for await (const id of ids) this.#restored.add(id);
    this.#isRestored = true;
  }

  /** Whether the event is stored. Waits for one that is being stored. */
  async has(id: string, issuedAtMs: number): Promise<boolean> {
    const known = this.look(id, issuedAtMs);
    if (!(known instanceof Promise)) return known === "kept";
    await known.catch(() => undefined);
    return this.look(id, issuedAtMs) === "kept";
  }

  /** The event's state: stored, being stored (a promise of the outcome), or new. */
  look(id: string, issuedAtMs: number): "kept" | Promise<unknown> | "new" {
    return this.#pending.get(id) ?? (this.#isKept(id, issuedAtMs) ? "kept" : "new");
  }

  /** Throws Problem `unavailable` if an earlier process may have stored the event and its list is not loaded yet. */
  assertKnown(issuedAtMs: number): void {
    // An earlier process cannot have seen a token made since the start.
    if (!this.#isRestored && issuedAtMs <= this.#startedAtMs) {
      throw new Problem("unavailable", "Still reading what was counted before the restart", { retryAfterSeconds: 2 });
    }
  }

  /**
   * Marks new events as stored once `keeping` resolves, except those whose ids it resolves with; if it rejects, repetitions
   * may try. Settles as `keeping` does.
   */
  claim(events: readonly Claim[], keeping: Promise<ReadonlySet<string> | void>): Promise<void> {
    for (const { id } of events) this.#pending.set(id, keeping);
    return keeping.then(
      (refused) => {
        for (const { id, issuedAtMs } of events) {
          if (refused?.has(id) !== true) this.#bucketOf(issuedAtMs).add(id);
          this.#pending.delete(id);
        }
      },
      (error: unknown) => {
        for (const { id } of events) this.#pending.delete(id);
        throw error;
      },
    );
  }

  /** Stores an event unless it is stored already. Rejects as `keep` does, for its waiting repetitions too. */
  async once(id: string, issuedAtMs: number, keep: () => Promise<void>): Promise<"kept" | "repeated"> {
    const known = this.look(id, issuedAtMs);
    if (known !== "new") {
      await known;
      return "repeated";
    }
    this.assertKnown(issuedAtMs);
    await this.claim([{ id, issuedAtMs }], keep());
    return "kept";
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
      // Regardless of the token's time: the clock may have been set back since an earlier process made it.
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
