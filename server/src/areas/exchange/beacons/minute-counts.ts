import { hash64 } from "./hash-set.ts";

const MINUTE_MS = 60_000;
const SLOTS = 2 ** 20;
const MOST = 2 ** 16 - 1;

/** What is counted, as the two slots that stand for it: `countKey` makes it of a text. */
export type CountKey = number;

/** Takes two of the slots by the text's hash. */
export function countKey(text: string): CountKey {
  const [high, low] = hash64(text);
  return (high % SLOTS) * SLOTS + (low % SLOTS);
}

/**
 * Counts by key over about the last minute: this minute's, and what is left of the one before. A count-min sketch of
 * fixed size: each key counts in two slots and the smaller one is told, so that a million keys a minute (a busy platform,
 * or an attack with many faces) take no more memory than one, and a count is never too low. It is too high only where
 * both slots are shared: by one or two at a million keys.
 *
 * What is not kept yet is counted exactly, by `begin`, until `end` says what became of it: what could not be kept leaves
 * no count behind.
 */
export class MinuteCounts {
  #minute = -1;
  #now = new Uint16Array(2 * SLOTS);
  #before = new Uint16Array(2 * SLOTS);
  readonly #pending = new Map<CountKey, number>();

  /** Counts one that is about to be kept and returns how many there are with it. Every `begin` needs its `end`. */
  begin(key: CountKey, at: number): number {
    const pending = (this.#pending.get(key) ?? 0) + 1;
    this.#pending.set(key, pending);
    this.#turnTo(at);
    return smaller(this.#now, key) + this.#left(key, at) + pending;
  }

  /** What began is kept and stays counted, or is not and never was. */
  end(key: CountKey, at: number, isKept: boolean): void {
    const pending = this.#pending.get(key) ?? 0;
    if (pending > 1) this.#pending.set(key, pending - 1);
    else this.#pending.delete(key);
    if (isKept) this.add(key, at);
  }

  /** Counts one more and returns how many there were, it included. `at` in milliseconds of any clock that runs forward. */
  add(key: CountKey, at: number): number {
    this.#turnTo(at);
    const [first, second] = [firstOf(key), secondOf(key)];
    const count = Math.min(MOST, smaller(this.#now, key) + 1);
    // Only the slots that would tell less are raised: what others have counted there is not counted again.
    if ((this.#now[first] ?? 0) < count) this.#now[first] = count;
    if ((this.#now[second] ?? 0) < count) this.#now[second] = count;
    return count + this.#left(key, at);
  }

  /** What the minute before still stands for: less and less of it. */
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
