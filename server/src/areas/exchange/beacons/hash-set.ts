/** The slots are doubled once this share of them is in use. */
const MAX_LOAD = 0.6;
const FIRST_SLOTS = 1024;

/**
 * A set of texts that keeps only 64 bits of each: about 16 bytes per event id, against 100 in a Set of strings. With ten
 * million ids a day, two of them collide once in half a million years.
 */
export class HashSet {
  #size = 0;
  #slots = FIRST_SLOTS;
  /** The high and low half of each hash, side by side. A slot with both 0 is free. */
  #table = new Uint32Array(FIRST_SLOTS * 2);

  get size(): number {
    return this.#size;
  }

  has(text: string): boolean {
    const [high, low] = hash64(text);
    return this.#table[this.#place(high, low) * 2 + 1] === low;
  }

  /** Returns false if the text was already in the set. */
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

  /** The slot with this hash, or the free slot where it belongs. */
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

/** Two rounds of multiply and mix, like cyrb53 but with all 64 bits. The low half is never 0. */
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
