const MINUTE_MS = 60_000;
/** More keys than this in a minute are an attack with many faces; it then counts as one. */
const MAX_KEYS = 200_000;

/** Counts by key over about the last minute: this minute's, and what is left of the one before. */
export class MinuteCounts {
  #minute = -1;
  #now = new Map<string, number>();
  #before = new Map<string, number>();

  /** Counts one more and returns how many there were, it included. `at` in milliseconds of any clock that runs forward. */
  add(key: string, at: number): number {
    const minute = Math.floor(at / MINUTE_MS);
    if (minute !== this.#minute) {
      this.#before = minute === this.#minute + 1 ? this.#now : new Map<string, number>();
      this.#now = new Map();
      this.#minute = minute;
    }
    const known = this.#now.size < MAX_KEYS || this.#now.has(key) ? key : "";
    const count = (this.#now.get(known) ?? 0) + 1;
    this.#now.set(known, count);
    const left = 1 - (at - minute * MINUTE_MS) / MINUTE_MS;
    return count + Math.floor((this.#before.get(known) ?? 0) * left);
  }
}
