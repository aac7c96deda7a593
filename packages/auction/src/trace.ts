import { isObject } from "@millrace/openrtb";
import { canonicalJson, firstDifference } from "./canonical-json.ts";
import type { AuctionDecision } from "./decision.ts";
import type { AuctionInput } from "./input.ts";
import type { PartnerResponse } from "./response.ts";
import { decideAuction } from "./decide-auction.ts";

/** Incremented whenever the same inputs could give another decision. */
export const TRACE_VERSION = 1;

/** A decision with all it depended on. */
export interface Trace {
  version: typeof TRACE_VERSION;
  input: AuctionInput;
  responses: PartnerResponse[];
  decision: AuctionDecision;
}

/** Holds an auction and keeps it whole. */
export function traceOf(
  input: AuctionInput,
  responses: PartnerResponse[],
  decision = decideAuction(input, responses),
): Trace {
  return { version: TRACE_VERSION, input, responses, decision };
}

/**
 * A trace as UTF-8 JSON with its fields in insertion order. Reading keeps that order, and a decision sets its fields in
 * one order, so the same inputs give the same bytes; sorting the keys would take five times as long.
 */
export function encodeTrace(trace: Trace): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(trace));
}

/** Reads a stored trace; throws SyntaxError for invalid JSON and RangeError for another version or no trace. */
export function decodeTrace(bytes: Uint8Array): Trace {
  const trace: unknown = JSON.parse(new TextDecoder().decode(bytes));
  if (!isTrace(trace)) throw new RangeError(`not a trace of version ${TRACE_VERSION}`);
  return trace;
}

// The content is trusted, because only `encodeTrace` writes traces.
function isTrace(value: unknown): value is Trace {
  return (
    isObject(value) &&
    value["version"] === TRACE_VERSION &&
    isObject(value["input"]) &&
    Array.isArray(value["responses"]) &&
    isObject(value["decision"])
  );
}

export interface Replay {
  /** The same decision from the same inputs, to the byte. */
  same: boolean;
  /** The first field that came out otherwise, as `decision.imps[0].order[0].priceMicros`; null when none did. */
  path: string | null;
  /** The decision that the inputs give today; null for bytes that are not a trace. */
  decision: AuctionDecision | null;
}

const areEqual = (some: Uint8Array, other: Uint8Array): boolean =>
  some.length === other.length && some.every((byte, index) => byte === other[index]);

/**
 * Replays a recorded auction and compares the bytes; older traces have their keys in UTF-16 order. Never throws: bytes
 * that are not a trace compare as different.
 */
export function replay(bytes: Uint8Array): Replay {
  try {
    const stored = decodeTrace(bytes);
    const decision = decideAuction(stored.input, stored.responses);
    const trace = { ...stored, decision };
    const again = encodeTrace(trace);
    const same = areEqual(again, bytes) || areEqual(new TextEncoder().encode(canonicalJson(trace)), bytes);
    return { same, path: same ? null : (firstDifference(stored, decodeTrace(again)) ?? ""), decision };
  } catch {
    return { same: false, path: "", decision: null };
  }
}
