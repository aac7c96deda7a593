import { brotliDecompress, gunzip, gunzipSync, inflate, inflateRaw } from "node:zlib";
import type { CallFailure } from "./outcome.ts";

/** The codings that `inflateBody` reads, as the value of `Accept-Encoding`. */
export const ACCEPTED_ENCODINGS = "gzip, deflate, br";

/** Unpacking so little takes 0.1 ms at most, less than handing it to another thread. */
const SMALL_BYTES = 32 * 1024;
/** Most answers fit into one such piece. By default zlib allocates 16 KB for each answer, which the collector has to clear away. */
const PIECE_BYTES = 4096;

/**
 * Decompresses a body. A large answer is unpacked off the event loop, so that it does not delay the others. Stops at `maxBytes`, so a
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
    case "x-gzip": {
      const text = smallText(body, maxBytes);
      return text === null ? gunzip(body, options, finish) : done({ text });
    }
    case "br":
      return brotliDecompress(body, options, finish);
    case "deflate":
      // Some senders mean raw deflate; the zlib wrapper's first byte has 8 in its low half (RFC 1950).
      return ((body[0] ?? 0) & 0x0f) === 8 ? inflate(body, options, finish) : inflateRaw(body, options, finish);
    default:
      return done({ failure: "bad_encoding" });
  }
}

/** Unpacks a gzip body at once; null if it is not small, or is broken. */
function smallText(body: Buffer, maxBytes: number): string | null {
  if (body.length > SMALL_BYTES) return null;
  try {
    const options = { maxOutputLength: Math.min(SMALL_BYTES, maxBytes), chunkSize: PIECE_BYTES };
    return gunzipSync(body, options).toString("utf8");
  } catch {
    return null;
  }
}

const isTooLarge = (error: Error) => "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
