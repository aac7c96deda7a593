import { hash64 } from "./hash-set.ts";

const MINUTE_MS = 60_000;
const MAX_COUNT = 2 ** 16 - 1;

/**
 * What is counted, with the slots of its own in each of two rows. A busy address has thousands of events where a device may
 * have a hundred, so a device that shared both slots with such addresses would seem to be a flood.
 */
const SLOTS = {
  "impression of": 2 ** 20,
  "impression from": 2 ** 18,
  "click of": 2 ** 18,
  "click from": 2 ** 18,
  "player event of": 2 ** 20,
  invalid: 2 ** 18,
  again: 2 ** 18,
} as const;
export type Counted = keyof typeof SLOTS;

const MOST_SLOTS = 2 ** 20;
const ALL_KEYS = MOST_SLOTS ** 2;

/** Where the slots of each begin: those of its first row, then those of the second. */
const TABLES: { start: number; slots: number }[] = [];
let allSlots = 0;
for (const slots of Object.values(SLOTS)) {
  TABLES.push({ start: allSlots, slots });
  allSlots += 2 * slots;
}
const NTH = new Map(Object.keys(SLOTS).map((counted, nth) => [counted, nth]));

/** What is counted, and a slot in each of its rows, in one number; `countKey` makes it. */
export type CountKey = number;

/** Makes the key of what is counted and its holder: a device, an address or an event. */
export function countKey(counted: Counted, holder: string): CountKey {
  const [high, low] = hash64(holder);
  const slots = SLOTS[counted];
  return (NTH.get(counted) ?? 0) * ALL_KEYS + (high % slots) * MOST_SLOTS + (low % slots);
}

/**
 * Counts by key over about the last minute: the current minute's, plus a declining part of the previous one. It is a
 * count-min sketch of fixed size: each key counts in two slots and the smaller is returned. A million keys a minute (a
 * busy platform, or an attack with many identities) take no more memory than one. A count is never too low, and too high
 * only if both slots are shared with others of its kind: by one or two at a million keys.
 *
 * `begin` counts an event exactly until `end` reports its outcome, so that an event that could not be stored leaves no
 * count behind.
 */
export class MinuteCounts {
  #minute = -1;
  #now = new Uint16Array(allSlots);
  #before = new Uint16Array(allSlots);
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
    const count = Math.min(MAX_COUNT, smaller(this.#now, key) + 1);
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

const tableOf = (key: CountKey) => TABLES[Math.floor(key / ALL_KEYS)] ?? { start: 0, slots: 0 };
const firstOf = (key: CountKey): number => tableOf(key).start + (Math.floor(key / MOST_SLOTS) % MOST_SLOTS);
function secondOf(key: CountKey): number {
  const { start, slots } = tableOf(key);
  return start + slots + (key % MOST_SLOTS);
}

const smaller = (counts: Uint16Array, key: CountKey): number =>
  Math.min(counts[firstOf(key)] ?? 0, counts[secondOf(key)] ?? 0);
