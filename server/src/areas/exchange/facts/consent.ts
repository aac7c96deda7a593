import type { Consent } from "@millrace/auction";
import type { Regs, User } from "@millrace/openrtb";
import { LRUCache } from "lru-cache";

/** What a TCF 2 string allows. */
export interface TcfConsent {
  /** Vendors with consent, ascending. */
  vendorIds: number[];
  /** Purpose 1: information on the device may be stored and read, ids included. */
  storage: boolean;
  /** Purpose 2: basic ads may be chosen. */
  basicAds: boolean;
}

const NOTHING: TcfConsent = { vendorIds: [], storage: false, basicAds: false };
const AT = { version: 0, purposes: 152, maxVendor: 213 } as const;
/** More than the list of vendors can have; a string that goes on is meant to keep us busy. */
const MAX_VENDORS = 70_000;

/**
 * Reads the core segment of a TCF 2 consent string: header, purposes and vendor consents. What cannot be read allows
 * nothing. Never throws.
 */
export function decodeTcf(text: string): TcfConsent {
  const core = text.split(".", 1)[0] ?? "";
  if (!/^[A-Za-z0-9_-]+$/.test(core)) return NOTHING;
  const bits = new Bits(Buffer.from(core, "base64url"));
  if (bits.size < AT.maxVendor + 17 || bits.number(AT.version, 6) !== 2) return NOTHING;
  const maxVendor = bits.number(AT.maxVendor, 16);
  const isRange = bits.number(AT.maxVendor + 16, 1) === 1;
  const vendorIds = isRange
    ? rangesOf(bits, AT.maxVendor + 17, maxVendor)
    : fieldOf(bits, AT.maxVendor + 17, maxVendor);
  if (vendorIds === null) return NOTHING;
  return {
    vendorIds,
    storage: bits.number(AT.purposes, 1) === 1,
    basicAds: bits.number(AT.purposes + 1, 1) === 1,
  };
}

function fieldOf(bits: Bits, at: number, maxVendor: number): number[] | null {
  if (at + maxVendor > bits.size) return null;
  const ids: number[] = [];
  for (let id = 1; id <= maxVendor; id++) if (bits.number(at + id - 1, 1) === 1) ids.push(id);
  return ids;
}

function rangesOf(bits: Bits, at: number, maxVendor: number): number[] | null {
  const ids = new Set<number>();
  let place = at + 12;
  if (place > bits.size) return null;
  let steps = 0;
  for (let entries = bits.number(at, 12); entries > 0; entries--) {
    if (place + 17 > bits.size) return null;
    const isRange = bits.number(place, 1) === 1;
    const first = bits.number(place + 1, 16);
    place += 17;
    if (isRange && place + 16 > bits.size) return null;
    const last = isRange ? bits.number(place, 16) : first;
    if (isRange) place += 16;
    if (first === 0 || last < first || last > maxVendor) return null;
    for (let id = first; id <= last; id++) {
      if (++steps > MAX_VENDORS) return null;
      ids.add(id);
    }
  }
  return [...ids].sort((a, b) => a - b);
}

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

// A device keeps its string for months, and a string may name a thousand vendors.
const decoded = new LRUCache<string, TcfConsent>({ max: 2000 });
/** More than any honest string is long or names; what is sent to fill the memory is not kept. */
const LONGEST_KNOWN = 10_000;
const MOST_KNOWN_VENDORS = 2000;

function tcfOf(text: string): TcfConsent {
  const known = decoded.get(text);
  if (known) return known;
  const consent = decodeTcf(text);
  if (text.length <= LONGEST_KNOWN && consent.vendorIds.length <= MOST_KNOWN_VENDORS) decoded.set(text, consent);
  return consent;
}

export interface ConsentFacts {
  consent: Consent;
  /** Ids of the device and the person may be passed on. */
  mayIdentify: boolean;
}

const FREE: ConsentFacts = { consent: { gdprApplies: false, vendorIds: [] }, mayIdentify: true };

/** Who may be asked, and whether they may learn who it is, under the signals of a request (2.6 places, or 2.5's in `ext`). */
export function consentOf(regs: Regs | undefined, user: User | undefined): ConsentFacts {
  if (regs?.coppa === 1) return { ...consentOf({ ...regs, coppa: 0 }, user), mayIdentify: false };
  const gdpr = regs?.gdpr ?? regs?.ext?.["gdpr"];
  if (gdpr !== 1) return FREE;
  const text = user?.consent ?? user?.ext?.["consent"];
  const tcf = typeof text === "string" ? tcfOf(text) : NOTHING;
  return {
    consent: { gdprApplies: true, vendorIds: tcf.basicAds ? tcf.vendorIds : [] },
    mayIdentify: tcf.storage,
  };
}
