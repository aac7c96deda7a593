import { LRUCache } from "lru-cache";
import { TCF_MAY } from "./read-tcf.ts";

/** Longer than any real string. */
const LONGEST = 12_000;
/** Bit positions in the core segment of TCF Canada, version 1. */
const CORE = { specialFeatures: 139, expressPurposes: 151, impliedPurposes: 175, vendors: 199 };
const SEGMENT_TYPE = { bits: 3, disclosedVendors: 1 };
const RESTRICTION = { notAllowed: 0, expressConsent: 1, impliedConsent: 2 };
/** Fibonacci codes of this length exceed any vendor id. */
const LONGEST_CODE = 24;

/**
 * Reads a vendor's permissions in a TCF Canada string (GPP section 5), as bits of `TCF_MAY`; a malformed string allows
 * nothing. The IAB's library lists each vendor of each range, millions in a few characters, so vendors are looked up
 * where they stand.
 */
export function mayByTcfCanada(text: string, vendorId: number): number {
  const key = `${vendorId} ${text}`;
  let may = known.get(key);
  if (may === undefined) known.set(key, (may = read(text, vendorId)));
  return may;
}

const known = new LRUCache<string, number>({ maxSize: 4_000_000, sizeCalculation: (_, key) => key.length + 400 });

/** All partners of an auction are checked against one string, one after another. */
let last: { text: string; segments: readonly string[] } = { text: "", segments: [] };

function read(text: string, vendorId: number): number {
  if (text === "" || text.length > LONGEST) return 0;
  try {
    if (last.text !== text) last = { text, segments: text.split(".").map(bitsOf) };
    const [core = "", ...segments] = last.segments;
    return isDisclosed(segments, vendorId) ? allowedBy(core, vendorId) : 0;
  } catch {
    return 0;
  }
}

/** If the string lists the vendors disclosed to the user, other vendors have no permission. */
function isDisclosed(segments: readonly string[], vendorId: number): boolean {
  const listed = segments.find((bits) => numberAt(bits, 0, SEGMENT_TYPE.bits) === SEGMENT_TYPE.disclosedVendors);
  if (listed === undefined || numberAt(listed, SEGMENT_TYPE.bits, 16) === 0) return true;
  return findVendor(listed, SEGMENT_TYPE.bits, vendorId).isFound;
}

function allowedBy(core: string, vendorId: number): number {
  const isExpress = findVendor(core, CORE.vendors, vendorId);
  const isImplied = findVendor(core, isExpress.end, vendorId);
  const restrictions = restrictionsOf(core, isImplied.end, vendorId);
  const mayFor = (purpose: number): boolean => {
    const express = isExpress.isFound && core[CORE.expressPurposes + purpose - 1] === "1";
    const implied = isImplied.isFound && core[CORE.impliedPurposes + purpose - 1] === "1";
    const restriction = restrictions.get(purpose);
    if (restriction === RESTRICTION.notAllowed) return false;
    if (restriction === RESTRICTION.expressConsent) return express;
    if (restriction === RESTRICTION.impliedConsent) return implied;
    return express || implied;
  };
  let may = 0;
  if (mayFor(2)) may |= TCF_MAY.basicAds;
  if (mayFor(1)) may |= TCF_MAY.storage;
  if (mayFor(3) && mayFor(4)) may |= TCF_MAY.personalisedAds;
  if (core[CORE.specialFeatures] === "1") may |= TCF_MAY.preciseLocation;
  return may;
}

/** The publisher's restrictions of a vendor, by purpose. */
function restrictionsOf(core: string, start: number, vendorId: number): Map<number, number> {
  const found = new Map<number, number>();
  let at = start + 12;
  for (let left = numberAt(core, start, 12); left > 0; left--) {
    const { isFound, end } = findVendor(core, at + 8, vendorId);
    if (isFound) found.set(numberAt(core, at, 6), numberAt(core, at + 6, 2));
    at = end;
  }
  return found;
}

/** Whether the list that starts here (GPP, "OptimizedRange") has the vendor, and where the list ends. */
function findVendor(bits: string, start: number, vendorId: number): { isFound: boolean; end: number } {
  const max = numberAt(bits, start, 16);
  const at = start + 17;
  if (bits[start + 16] === "0") {
    if (at + max > bits.length) throw new RangeError("The list is longer than its segment");
    return { isFound: vendorId <= max && bits[at + vendorId - 1] === "1", end: at + max };
  }
  let end = at + 12;
  let last = 0;
  let isFound = false;
  for (let left = numberAt(bits, at, 12); left > 0; left--) {
    const isRange = bits[end] === "1";
    const first = gapAt(bits, end + 1);
    const length = isRange ? gapAt(bits, first.end) : { value: 0, end: first.end };
    const from = last + first.value;
    last = from + length.value;
    isFound ||= from <= vendorId && vendorId <= last;
    end = length.end;
  }
  return { isFound, end };
}

/** A number in Fibonacci coding, which ends with two ones. */
function gapAt(bits: string, start: number): { value: number; end: number } {
  let [value, term, next] = [0, 1, 2];
  for (let at = start; at < start + LONGEST_CODE && at + 1 < bits.length; at++) {
    if (bits[at] === "1") value += term;
    if (bits[at] === "1" && bits[at + 1] === "1") return { value, end: at + 2 };
    [term, next] = [next, term + next];
  }
  throw new RangeError("A code has no end");
}

function numberAt(bits: string, start: number, length: number): number {
  if (start + length > bits.length) throw new RangeError("The segment is too short");
  return Number.parseInt(bits.slice(start, start + length), 2);
}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** Six bits for each character. */
function bitsOf(segment: string): string {
  if (!/^[\w-]*$/.test(segment)) throw new RangeError("Not base64url");
  let bits = "";
  for (const letter of segment) bits += (ALPHABET.indexOf(letter) + 64).toString(2).slice(1);
  return bits;
}
