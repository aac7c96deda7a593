import { hash64 } from "./hash-set.ts";

const MINUTE_MS = 60_000;
const SLOTS = 2 ** 20;
const MOST = 2 ** 16 - 1;

/** A key as its two slots; `countKey` derives them from a text. */
export type CountKey = number;

/** Derives a key's two slots from the hash of a text. */
export function countKey(text: string): CountKey {
  const [high, low] = hash64(text);
  return (high % SLOTS) * SLOTS + (low % SLOTS);
}

/**
 * Counts by key over about the last minute: the current minute's, plus a declining part of the previous one. It is a
 * count-min sketch of fixed size: each key counts in two slots and the smaller is returned. A million keys a minute (a
 * busy platform, or an attack with many identities) take no more memory than one. A count is never too low, and too high
 * only if both slots are shared: by one or two at a million keys.
 *
 * `begin` counts an event exactly until `end` reports its outcome, so that an event that could not be stored leaves no
 * count behind.
 */
export class MinuteCounts {
  #minute = -1;
  #now = new Uint16Array(2 * SLOTS);
  #before = new Uint16Array(2 * SLOTS);
  readonly #pending = new Map<CountKey, number>();
  readonly #onKept: ((key: CountKey) => void) | undefined;

  /** `onKept` hears of each stored event; other processes `add` it. */
  constructor(onKept?: (key: CountKey) => void) {
    this.#onKept = onKept;
  }

  /** Counts an event that is about to be stored and returns the count with it. Every `begin` needs an `end`. */
  begin(key: CountKey, at: number): number {
    const pending = (this.#pending.get(key) ?? 0) + 1;
    this.#pending.set(key, pending);
    this.#turnTo(at);
    return smaller(this.#now, key) + this.#left(key, at) + pending;
  }

  /** Ends a `begin`: a stored event stays counted, any other is forgotten. */
  end(key: CountKey, at: number, isKept: boolean): void {
    const pending = this.#pending.get(key) ?? 0;
    if (pending > 1) this.#pending.set(key, pending - 1);
    else this.#pending.delete(key);
    if (!isKept) return;
    this.add(key, at);
    this.#onKept?.(key);
  }

  /** Counts an event and returns the count with it. `at` is in milliseconds of any clock that runs forward. */
  add(key: CountKey, at: number): number {
    this.#turnTo(at);
    const [first, second] = [firstOf(key), secondOf(key)];
    const count = Math.min(MOST, smaller(this.#now, key) + 1);
    // Slots that already hold more, from other keys, are not raised: that would inflate the counts.
    if ((this.#now[first] ?? 0) < count) this.#now[first] = count;
    if ((this.#now[second] ?? 0) < count) this.#now[second] = count;
    return count + this.#left(key, at);
  }

  /** The declining share of the previous minute that still counts. */
  #left(key: CountKey, at: number): number {
    const left = 1 - (at - this.#minute * MINUTE_MS) / MINUTE_MS;
    return Math.floor(smaller(this.#before, key) * left);
  }

  #turnTo(at: number): void {
    const minute = Math.floor(at / MINUTE_MS);
    if (minute === this.#minute) return;
    const isNext = minute === this.#minute + 1;
    [this.#before, this.#now] = [this.#now, this.#before];
    this.#now.fill(0);
    if (!isNext) this.#before.fill(0);
    this.#minute = minute;
  }
}

const firstOf = (key: CountKey): number => Math.floor(key / SLOTS);
const secondOf = (key: CountKey): number => SLOTS + (key % SLOTS);

const smaller = (counts: Uint16Array, key: CountKey): number =>
  Math.min(counts[firstOf(key)] ?? 0, counts[secondOf(key)] ?? 0);
