/** Far more vendors than the Global Vendor List has; a string with ranges could name each of 65,535 ids many times. */
const MOST_NAMED = 40_000;
const RANGE = { count: 12, flag: 1, id: 16 } as const;
const CORE = { maxVendor: 213 } as const;
const SEGMENT = { disclosed: 1, allowed: 2 } as const;

/**
 * Whether a TCF string names few enough vendors to be read. A range takes 33 bits and up to 65,535 steps to read, so a
 * string of 10,000 characters could block a process for seconds. Checks only lengths; other errors are found on
 * reading.
 */
export function namesFewVendors(text: string): boolean {
  const budget = { left: MOST_NAMED };
  return text.split(".").every((segment, index) => {
    const bits = new Bits(Buffer.from(segment, "base64url"));
    if (index > 0) {
      const type = bits.number(0, 3);
      return (type !== SEGMENT.disclosed && type !== SEGMENT.allowed) || skipVendors(bits, 3, budget) !== null;
    }
    const interests = skipVendors(bits, CORE.maxVendor, budget);
    const restrictions = interests === null ? null : skipVendors(bits, interests, budget);
    return restrictions !== null && skipRestrictions(bits, restrictions, budget);
  });
}

interface Budget {
  left: number;
}

/** The end of the vendor list that starts at `at`; null if it names too many vendors. */
function skipVendors(bits: Bits, at: number, budget: Budget): number | null {
  const maxVendor = bits.number(at, RANGE.id);
  const isRange = bits.number(at + RANGE.id, 1) === 1;
  const start = at + RANGE.id + 1;
  if (isRange) return skipRanges(bits, start, budget);
  budget.left -= maxVendor;
  return budget.left < 0 ? null : start + maxVendor;
}

function skipRanges(bits: Bits, at: number, budget: Budget): number | null {
  let place = at + RANGE.count;
  for (let entries = bits.number(at, RANGE.count); entries > 0 && place < bits.size; entries--) {
    const isRange = bits.number(place, RANGE.flag) === 1;
    const first = bits.number(place + RANGE.flag, RANGE.id);
    place += RANGE.flag + RANGE.id;
    const last = isRange ? bits.number(place, RANGE.id) : first;
    if (isRange) place += RANGE.id;
    budget.left -= Math.max(1, last - first + 1);
    if (budget.left < 0) return null;
  }
  return place;
}

/** Publisher restrictions: a purpose, a type and ranges of vendors each. */
function skipRestrictions(bits: Bits, at: number, budget: Budget): boolean {
  let place: number | null = at + RANGE.count;
  for (let entries = bits.number(at, RANGE.count); entries > 0 && place < bits.size; entries--) {
    place = skipRanges(bits, place + 8, budget);
    if (place === null) return false;
  }
  return true;
}

/** Reads big-endian numbers of a given number of bits; past the end they are zero. */
class Bits {
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get size(): number {
    return this.#bytes.length * 8;
  }

  number(at: number, count: number): number {
    let value = 0;
    for (let place = at; place < at + count; place++) {
      value = value * 2 + (((this.#bytes[place >> 3] ?? 0) >> (7 - (place & 7))) & 1);
    }
    return value;
  }
}
