import { brotliDecompress, gunzip, inflate, inflateRaw } from "node:zlib";
import type { CallFailure } from "./outcome.ts";

/** The codings that `inflateBody` reads, as the value of `Accept-Encoding`. */
export const ACCEPTED_ENCODINGS = "gzip, deflate, br";

/**
 * Decompresses a body off the event loop, so that a large answer does not delay the others. Stops at `maxBytes`, so a
 * small body that unpacks into gigabytes costs no more than the limit.
 */
export function inflateBody(
  encoding: string,
  body: Buffer,
  maxBytes: number,
  done: (result: { text: string } | { failure: CallFailure }) => void,
): void {
  const options = { maxOutputLength: maxBytes };
  const finish = (error: Error | null, inflated: Buffer) => {
    if (error) done({ failure: isTooLarge(error) ? "too_large" : "bad_encoding" });
    else done({ text: inflated.toString("utf8") });
  };
  switch (encoding) {
    case "gzip":
    case "x-gzip":
      return gunzip(body, options, finish);
    case "br":
      return brotliDecompress(body, options, finish);
    case "deflate":
      // Some senders mean raw deflate; the zlib wrapper's first byte has 8 in its low half (RFC 1950).
      return ((body[0] ?? 0) & 0x0f) === 8 ? inflate(body, options, finish) : inflateRaw(body, options, finish);
    default:
      return done({ failure: "bad_encoding" });
  }
}

const isTooLarge = (error: Error) => "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
