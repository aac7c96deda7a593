import { Problem } from "../../../platform/http/problem.ts";
import { HashSet } from "./hash-set.ts";

const BUCKET_MS = 3_600_000;

/** An event by its id, and when its token was made (epoch milliseconds). */
export interface Claim {
  id: string;
  issuedAtMs: number;
}

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
    const known = this.look(id, issuedAtMs);
    if (!(known instanceof Promise)) return known === "kept";
    await known.catch(() => undefined);
    return this.look(id, issuedAtMs) === "kept";
  }

  /** What is known of an event: it is kept, it is being kept (until then, a promise), or it is new. */
  look(id: string, issuedAtMs: number): "kept" | Promise<void> | "new" {
    return this.#pending.get(id) ?? (this.#isKept(id, issuedAtMs) ? "kept" : "new");
  }

  /** Problem `unavailable` where it is not known yet whether an earlier process has kept what is new to this one. */
  assertKnown(issuedAtMs: number): void {
    // A token made since the start cannot have been seen before it.
    if (!this.#isRestored && issuedAtMs <= this.#startedAtMs) {
      throw new Problem("unavailable", "Still reading what was counted before the restart", { retryAfterSeconds: 2 });
    }
  }

  /** Marks new events as kept as soon as `keeping` resolves; when it rejects, the next ones may try. Settles as it does. */
  claim(events: readonly Claim[], keeping: Promise<void>): Promise<void> {
    for (const { id } of events) this.#pending.set(id, keeping);
    return keeping.then(
      () => {
        for (const { id, issuedAtMs } of events) {
          this.#bucketOf(issuedAtMs).add(id);
          this.#pending.delete(id);
        }
      },
      (error: unknown) => {
        for (const { id } of events) this.#pending.delete(id);
        throw error;
      },
    );
  }

  /** Keeps an event unless it is kept already. Rejects as `keep` does, also for those who waited for it. */
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
