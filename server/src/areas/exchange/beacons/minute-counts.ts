import { hash64 } from "./hash-set.ts";

const MINUTE_MS = 60_000;
const SLOTS = 2 ** 20;
const MOST = 2 ** 16 - 1;

/**
 * Counts by key over about the last minute: this minute's, and what is left of the one before. A count-min sketch of
 * fixed size: each key counts in two slots and the smaller one is told, so that a million keys a minute (a busy platform,
 * or an attack with many faces) take no more memory than one, and a count is never too low. It is too high only where
 * both slots are shared: by one or two at a million keys.
 */
export class MinuteCounts {
  #minute = -1;
  #now = new Uint16Array(2 * SLOTS);
  #before = new Uint16Array(2 * SLOTS);

  /** Counts one more and returns how many there were, it included. `at` in milliseconds of any clock that runs forward. */
  add(key: string, at: number): number {
    const minute = Math.floor(at / MINUTE_MS);
    if (minute !== this.#minute) this.#turnTo(minute);
    const [high, low] = hash64(key);
    const first = high % SLOTS;
    const second = SLOTS + (low % SLOTS);
    const count = Math.min(MOST, smaller(this.#now, first, second) + 1);
    // Only the slots that would tell less are raised: what others have counted there is not counted again.
    if ((this.#now[first] ?? 0) < count) this.#now[first] = count;
    if ((this.#now[second] ?? 0) < count) this.#now[second] = count;
    const left = 1 - (at - minute * MINUTE_MS) / MINUTE_MS;
    return count + Math.floor(smaller(this.#before, first, second) * left);
  }

  #turnTo(minute: number): void {
    const isNext = minute === this.#minute + 1;
    [this.#before, this.#now] = [this.#now, this.#before];
    this.#now.fill(0);
    if (!isNext) this.#before.fill(0);
    this.#minute = minute;
  }
}

const smaller = (counts: Uint16Array, first: number, second: number): number =>
  Math.min(counts[first] ?? 0, counts[second] ?? 0);
