import { gzipSync } from "node:zlib";
import { ACCEPTED_ENCODINGS } from "./inflate.ts";
import { renderHeaders } from "./request-head.ts";
import type { Target } from "./request-head.ts";

/** One request to send. */
export interface OutgoingCall {
  method: "GET" | "POST";
  url: string;
  /** An object that is reused is serialised once. */
  headers: Record<string, string>;
  body: string;
  /** The body's length in UTF-8, if the caller knows it. */
  bodyBytes?: number | undefined;
  /** Send the body gzipped and accept a compressed answer; otherwise neither side compresses. */
  gzip: boolean;
}

/** A call, and the one origin that its receiver is trusted at. */
export interface AddressedCall {
  call: OutgoingCall;
  /** The receiver's origin approved by the operator, which may be private. All others must be public. */
  trustedOrigin: string | null;
}

export interface Payload {
  payload: string | Buffer;
  encoding: "latin1" | "utf8";
}

/** The bytes of a request (RFC 9112, section 3); null if a header cannot be sent unchanged. */
export function payloadOf(call: OutgoingCall, target: Target): Payload | null {
  const start = startOf(call, target);
  if (start === null) return null;
  if (call.method === "GET") return { payload: `${start}\r\n`, encoding: "latin1" };
  if (call.gzip) {
    const body = gzipSync(call.body, GZIP);
    const head = `${start}content-encoding: gzip\r\ncontent-length: ${body.length}\r\n\r\n`;
    return { payload: Buffer.concat([Buffer.from(head, "latin1"), body]), encoding: "latin1" };
  }
  const bytes = call.bodyBytes ?? Buffer.byteLength(call.body);
  // Writing one byte for each character is cheaper, and the same wherever the text is ASCII.
  const encoding = bytes === call.body.length ? "latin1" : "utf8";
  return { payload: `${start}content-length: ${bytes}\r\n\r\n${call.body}`, encoding };
}

/** Bodies have 1 to 4 KB. A window of 2 KB compresses them as well as the default of 32 KB, in half the time. */
const GZIP = { level: 3, windowBits: 11, memLevel: 4, chunkSize: 4096 };

interface Start {
  method: OutgoingCall["method"];
  target: Target;
  gzip: boolean;
  text: string | null;
}
// A partner's headers are the same object for every auction, and go to the same place.
const starts = new WeakMap<object, Start>();

/** The head up to the lines about the body. */
function startOf({ method, headers, gzip }: OutgoingCall, target: Target): string | null {
  const known = starts.get(headers);
  if (known?.target === target && known.method === method && known.gzip === gzip) return known.text;
  const lines = renderHeaders(headers);
  const accepted = gzip ? ACCEPTED_ENCODINGS : "identity";
  const text =
    lines === null
      ? null
      : `${method} ${target.path} HTTP/1.1\r\n${target.hostLine}accept-encoding: ${accepted}\r\n${lines}`;
  starts.set(headers, { method, target, gzip, text });
  return text;
}
