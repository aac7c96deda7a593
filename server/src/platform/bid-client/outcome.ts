/** How a call ended without a usable answer. */
export const CALL_FAILURES = [
  /** The address or a header could not be sent as it is. */
  "not_sendable",
  /** The deadline passed first. */
  "timeout",
  /** The connection failed, or too many calls to this address are pending. */
  "connection_failed",
  /** The peer hung up before the answer was whole. */
  "closed_early",
  /** The reply is not HTTP/1.1, or its framing is contradictory. */
  "not_http",
  /** The head or the body, before or after decompression, is above its limit. */
  "too_large",
  /** The body's coding was not requested or does not decode. */
  "bad_encoding",
] as const;
export type CallFailure = (typeof CALL_FAILURES)[number];

/** An answer that came whole and in time. `head` is the raw head; read it with `headersOf`. */
export interface CallAnswer {
  ok: true;
  status: number;
  head: string;
  /** Decoded as UTF-8; empty without a body. */
  body: string;
  latencyMs: number;
}

export type CallOutcome = CallAnswer | { ok: false; failure: CallFailure; latencyMs: number };

/** All headers of a raw head by lower-case name; the last of a repeated one. */
export function headersOf(head: string): Record<string, string | undefined> {
  const headers = Object.create(null) as Record<string, string | undefined>;
  for (const line of head.split("\r\n").slice(1)) {
    const colon = line.indexOf(":");
    if (colon > 0) headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  return headers;
}
