import { HOUR_MS } from "@millrace/units";
import { Problem } from "../../../platform/http/problem.ts";
import { HashSet } from "./hash-set.ts";

const BUCKET_MS = HOUR_MS;
/** The clock may be set back by less, and tokens that had expired are valid again. */
const SET_BACK_MS = HOUR_MS;

/** An event's id, and when its token was made (epoch milliseconds). */
export interface Claim {
  id: string;
  issuedAtMs: number;
}

/** Events that this process may store, and no other. */
export interface SharedClaim {
  /** Those that are stored already. If there are any, none is claimed. */
  stored: readonly Claim[];
  /** Ends the claim, in the background: of events that are stored now, and of those that are not. */
  settle(stored: readonly Claim[], released: readonly Claim[]): void;
}

/** The events of all processes, where there are several. */
export interface SharedEvents {
  /**
   * Claims events for this process, all or none, so that no other process stores them. Rejects with Problem `unavailable` if
   * it is not known whether they are stored, or another claim of one of them is not settled.
   */
  claim(events: readonly Claim[]): Promise<SharedClaim>;
  /** Whether an event is stored. Rejects with Problem `unavailable` if that is not known. */
  isStored(event: Claim): Promise<boolean>;
}

/** Another process has stored some of the claimed events meanwhile: they are known now, and can be classified again. */
export class StoredElsewhere extends Error {
  override readonly name = "StoredElsewhere";
}

/**
 * Remembers events until their tokens expire, so that each is stored once. While an event is being stored, its
 * repetitions wait for the outcome; if storing fails, the next repetition may try. With several processes, it asks the
 * others before it stores.
 */
export class SeenEvents {
  /** By the hour in which the token was made, because an hour's events are forgotten together. */
  readonly #buckets = new Map<number, HashSet>();
  /** Events of earlier processes, of any hour. */
  readonly #restored = new HashSet();
  readonly #pending = new Map<string, Promise<unknown>>();
  readonly #startedAtMs: number;
  readonly #lifeMs: number;
  readonly #shared: SharedEvents | undefined;
  #isRestored = false;

  /** `lifeMs` is how long a token is valid. Times are epoch milliseconds. */
  constructor(startedAtMs: number, lifeMs: number, shared?: SharedEvents) {
    this.#startedAtMs = startedAtMs;
    this.#lifeMs = lifeMs;
    this.#shared = shared;
    // What earlier processes stored is shared as well.
    this.#isRestored = shared !== undefined;
  }

  /** Adopts the events that earlier processes stored. Until then, events with older tokens are deferred. */
  async restore(ids: AsyncIterable<string>): Promise<void> {
    for await (const id of ids) this.#restored.add(id);
    this.#isRestored = true;
  }

  /** Whether the event is stored. Waits for one that is being stored. */
  async has(id: string, issuedAtMs: number): Promise<boolean> {
    const known = this.look(id, issuedAtMs);
    if (known instanceof Promise) await known.catch(() => undefined);
    if (this.look(id, issuedAtMs) === "kept") return true;
    if (!this.#shared || !(await this.#shared.isStored({ id, issuedAtMs }))) return false;
    this.#bucketOf(issuedAtMs).add(id);
    return true;
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
   * Stores new events by `keep`, which resolves with the ids of those that it did not store. If it rejects, repetitions may
   * try. Rejects as `keep` does, or with `StoredElsewhere`, before it is called.
   */
  async claim(events: readonly Claim[], keep: () => Promise<ReadonlySet<string> | void>): Promise<void> {
    const keeping = this.#shared && events.length > 0 ? this.#keepShared(this.#shared, events, keep) : keep();
    for (const { id } of events) this.#pending.set(id, keeping);
    try {
      const refused = await keeping;
      for (const { id, issuedAtMs } of events) if (refused?.has(id) !== true) this.#bucketOf(issuedAtMs).add(id);
    } finally {
      for (const { id } of events) this.#pending.delete(id);
    }
  }

  async #keepShared(
    shared: SharedEvents,
    events: readonly Claim[],
    keep: () => Promise<ReadonlySet<string> | void>,
  ): Promise<ReadonlySet<string> | void> {
    const claim = await shared.claim(events);
    for (const { id, issuedAtMs } of claim.stored) this.#bucketOf(issuedAtMs).add(id);
    if (claim.stored.length > 0) throw new StoredElsewhere();
    try {
      const refused = await keep();
      const isRefused = ({ id }: Claim) => refused?.has(id) === true;
      claim.settle(
        events.filter((event) => !isRefused(event)),
        events.filter(isRefused),
      );
      return refused;
    } catch (error) {
      claim.settle([], events);
      throw error;
    }
  }

  /** Waits for everything that is being stored. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#pending.values());
  }

  /** Stores an event unless it is stored already. Rejects as `keep` does, for its waiting repetitions too. */
  async once(id: string, issuedAtMs: number, keep: () => Promise<void>): Promise<"kept" | "repeated"> {
    const known = this.look(id, issuedAtMs);
    if (known !== "new") {
      await known;
      return "repeated";
    }
    this.assertKnown(issuedAtMs);
    try {
      await this.claim([{ id, issuedAtMs }], keep);
    } catch (error) {
      if (error instanceof StoredElsewhere) return "repeated";
      throw error;
    }
    return "kept";
  }

  /** Forgets events whose tokens have expired and would still have expired if the clock were set back by an hour. */
  forget(nowMs: number): void {
    for (const hour of this.#buckets.keys()) {
      if ((hour + 1) * BUCKET_MS + this.#lifeMs + SET_BACK_MS < nowMs) this.#buckets.delete(hour);
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
