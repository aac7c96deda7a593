/** Slots are doubled when this share of them is taken. */
const MAX_LOAD = 0.6;
const FIRST_SLOTS = 1024;

/**
 * A set of texts that keeps 64 bits of each and nothing else: about 16 bytes for an event id, where a Set of strings
 * takes 100. Two of ten million ids are taken for the same once in half a million years of days.
 */
export class HashSet {
  #size = 0;
  #slots = FIRST_SLOTS;
  /** High and low half of each hash, side by side; both 0 is a free slot. */
  #table = new Uint32Array(FIRST_SLOTS * 2);

  get size(): number {
    return this.#size;
  }

  has(text: string): boolean {
    const [high, low] = hash64(text);
    return this.#table[this.#place(high, low) * 2 + 1] === low;
  }

  /** False where it was in already. */
  add(text: string): boolean {
    const [high, low] = hash64(text);
    const place = this.#place(high, low) * 2;
    if (this.#table[place + 1] === low) return false;
    this.#table[place] = high;
    this.#table[place + 1] = low;
    this.#size++;
    if (this.#size > this.#slots * MAX_LOAD) this.#grow();
    return true;
  }

  /** The slot that has this hash, or the free one where it would go. */
  #place(high: number, low: number): number {
    const mask = this.#slots - 1;
    let slot = low & mask;
    for (;;) {
      const found = this.#table[slot * 2 + 1];
      if (found === 0 || (found === low && this.#table[slot * 2] === high)) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #grow(): void {
    const before = this.#table;
    this.#slots *= 2;
    this.#table = new Uint32Array(this.#slots * 2);
    for (let at = 0; at < before.length; at += 2) {
      const [high, low] = [before[at] ?? 0, before[at + 1] ?? 0];
      if (low === 0) continue;
      const place = this.#place(high, low) * 2;
      this.#table[place] = high;
      this.#table[place + 1] = low;
    }
  }
}

/** Two rounds of multiply and mix (as cyrb53, kept whole). The low half is never 0. */
export function hash64(text: string): [high: number, low: number] {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return [b >>> 0, a >>> 0 || 1];
}
