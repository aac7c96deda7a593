import { lruCache } from "../lru-cache.ts";

/** A call that lasts longer makes its receiver slow. */
const SLOW_MS = 2000;
/** A receiver is slow until as many calls were quick, up to so many. */
const MOST_SLOW = 8;
/** Strangers choose receivers. */
const MOST_KNOWN = 10_000;

interface CallSlotsLimits {
  /** Concurrent calls to one receiver. */
  each: number;
  /** Concurrent calls to all receivers that were slow lately. */
  slow: number;
}

/** Counts concurrent calls by receiver, so that the slow ones, however many they are, leave room for the others. */
export class CallSlots<Receiver extends string | number> {
  readonly #limits: CallSlotsLimits;
  readonly #busy = new Map<Receiver, number>();
  /** How many more slow calls than quick ones there were. */
  readonly #slow = lruCache<Receiver, number>(MOST_KNOWN);

  constructor(limits: CallSlotsLimits) {
    this.#limits = limits;
  }

  /** Receivers that can take no further call now. */
  get full(): Receiver[] {
    return [...this.#busy].flatMap(([receiver, calls]) => (calls >= this.#limits.each ? [receiver] : []));
  }

  get slow(): Receiver[] {
    return [...this.#slow.keys()];
  }

  /** How many more calls slow receivers can take together. */
  get leftForSlow(): number {
    let calls = 0;
    for (const [receiver, count] of this.#busy) if (this.#slow.has(receiver)) calls += count;
    return Math.max(0, this.#limits.slow - calls);
  }

  hasRoomFor(receiver: Receiver): boolean {
    if ((this.#busy.get(receiver) ?? 0) >= this.#limits.each) return false;
    return !this.#slow.has(receiver) || this.leftForSlow > 0;
  }

  /** Counts a call until the returned function is called. */
  begin(receiver: Receiver): () => void {
    const beganAt = performance.now();
    this.#busy.set(receiver, (this.#busy.get(receiver) ?? 0) + 1);
    return () => {
      const left = (this.#busy.get(receiver) ?? 1) - 1;
      if (left > 0) this.#busy.set(receiver, left);
      else this.#busy.delete(receiver);
      this.#judge(receiver, performance.now() - beganAt > SLOW_MS);
    };
  }

  #judge(receiver: Receiver, isSlow: boolean): void {
    const before = this.#slow.get(receiver) ?? 0;
    const now = isSlow ? Math.min(MOST_SLOW, before + 1) : before - 1;
    if (now > 0) this.#slow.set(receiver, now);
    else this.#slow.delete(receiver);
  }
}
