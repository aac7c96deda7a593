/** The slots are doubled once this share of them is in use. */
const MAX_LOAD = 0.7;
const FIRST_SLOTS = 16;
/** Words of a slot: the device's high and low half, and its count plus one; 0 in a free slot. */
const WORDS = 3;

/** Counts by device (a 64-bit number in decimal): 12 bytes for each slot, against 100 and more in a Map of strings. */
export class DeviceCounts {
  #used = 0;
  #slots = FIRST_SLOTS;
  #table = new Uint32Array(FIRST_SLOTS * WORDS);

  of(device: string): number {
    const [high, low] = halves(device);
    return Math.max(0, (this.#table[this.#place(high, low) + 2] ?? 0) - 1);
  }

  /** `change` may be negative; a count never falls below 0. */
  add(device: string, change: number): void {
    const [high, low] = halves(device);
    const place = this.#place(high, low);
    const before = this.#table[place + 2] ?? 0;
    this.#table[place] = high;
    this.#table[place + 1] = low;
    this.#table[place + 2] = Math.max(1, Math.max(1, before) + change);
    if (before > 0) return;
    this.#used++;
    if (this.#used > this.#slots * MAX_LOAD) this.#grow();
  }

  /** Where this device's slot begins, or the free one where it belongs. */
  #place(high: number, low: number): number {
    const mask = this.#slots - 1;
    let slot = (low ^ high) & mask;
    for (;;) {
      const at = slot * WORDS;
      if (this.#table[at + 2] === 0 || (this.#table[at + 1] === low && this.#table[at] === high)) return at;
      slot = (slot + 1) & mask;
    }
  }

  #grow(): void {
    const before = this.#table;
    this.#slots *= 2;
    this.#table = new Uint32Array(this.#slots * WORDS);
    for (let at = 0; at < before.length; at += WORDS) {
      if (before[at + 2] === 0) continue;
      const place = this.#place(before[at] ?? 0, before[at + 1] ?? 0);
      for (let word = 0; word < WORDS; word++) this.#table[place + word] = before[at + word] ?? 0;
    }
  }
}

function halves(device: string): [high: number, low: number] {
  const number = BigInt(device);
  return [Number(number >> 32n), Number(number & 0xffffffffn)];
}
