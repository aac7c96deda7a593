/** The framing of a response's body, from its head (RFC 9112, section 6.3). */
export interface ResponseHead {
  status: number;
  framing: "none" | "length" | "chunked" | "until_close";
  /** The body's length, if `framing` is `length`. */
  length: number;
  /** In lower case; empty for identity. */
  encoding: string;
  keepAlive: boolean;
  /** How long the peer keeps an idle connection, if it says so. */
  idleSeconds: number | null;
}

const MAX_LENGTH_DIGITS = 15;

/** Parses a head without its final empty line; null if it is not HTTP/1.0 or 1.1, or contradicts itself. */
export function readResponseHead(text: string): ResponseHead | null {
  const status = statusOf(text);
  if (status === null) return null;
  const found = findHeaders(text);
  if (found === null) return null;
  const { connection, encoding, transfer, length, idle } = found;
  const keepAlive = text.charCodeAt(7) === ONE ? !hasToken(connection, "close") : hasToken(connection, "keep-alive");
  const head: ResponseHead = {
    status,
    framing: "none",
    length: 0,
    encoding: encoding === "identity" ? "" : encoding,
    keepAlive,
    idleSeconds: idleSecondsOf(idle),
  };
  if (status < 200 || status === 204 || status === 304) return head;
  if (transfer !== "") {
    // Both headers are how responses are smuggled: read the body, then never use the connection again.
    if (length !== null) head.keepAlive = false;
    head.framing = "chunked";
    return transfer === "chunked" ? head : null;
  }
  return withLength(head, length);
}

/** The relevant headers, in lower case, repeated ones joined by commas; empty if missing. */
interface FoundHeaders {
  connection: string;
  encoding: string;
  transfer: string;
  /** Null without any. */
  length: string | null;
  idle: string;
}

const ONE = 49;
const SPACE = 32;
const TAB = 9;

/** One pass over the lines; null for a head that could hide a framing header from us. */
function findHeaders(text: string): FoundHeaders | null {
  const found: FoundHeaders = { connection: "", encoding: "", transfer: "", length: null, idle: "" };
  if (text.includes("\0")) return null;
  let at = text.indexOf("\r\n");
  while (at !== -1) {
    const start = at + 2;
    const next = text.indexOf("\r\n", start);
    const end = next === -1 ? text.length : next;
    const first = text.charCodeAt(start);
    // A folded line (RFC 9112, section 5.2).
    if (first === SPACE || first === TAB) return null;
    const colon = text.indexOf(":", start);
    if (colon !== -1 && colon < end) keepHeader(found, text, start, colon, end);
    at = next;
  }
  return found;
}

function keepHeader(found: FoundHeaders, text: string, start: number, colon: number, end: number): void {
  // Most headers are irrelevant, which their length shows without creating a string.
  const length = colon - start;
  if (length !== 10 && length !== 14 && length !== 16 && length !== 17) return;
  const name = text.slice(start, colon).toLowerCase();
  const value = () =>
    text
      .slice(colon + 1, end)
      .trim()
      .toLowerCase();
  if (name === "content-length") found.length = joined(found.length ?? "", value());
  else if (name === "transfer-encoding") found.transfer = joined(found.transfer, value());
  else if (name === "content-encoding") found.encoding = joined(found.encoding, value());
  else if (name === "connection") found.connection = joined(found.connection, value());
  else if (name === "keep-alive") found.idle = joined(found.idle, value());
}

const joined = (before: string, value: string): string => (before === "" ? value : `${before},${value}`);

function withLength(head: ResponseHead, length: string | null): ResponseHead | null {
  if (length === "") return null;
  if (length === null) {
    head.framing = "until_close";
    head.keepAlive = false;
    return head;
  }
  // The same length several times over is still one (RFC 9110, section 8.6).
  for (const value of length.includes(",") ? length.split(",") : [length]) {
    const bytes = bytesOf(value.trim());
    if (bytes === null || (head.framing === "length" && bytes !== head.length)) return null;
    head.framing = "length";
    head.length = bytes;
  }
  return head;
}

function bytesOf(digits: string): number | null {
  if (digits.length === 0 || digits.length > MAX_LENGTH_DIGITS) return null;
  let bytes = 0;
  for (let at = 0; at < digits.length; at++) {
    const digit = digits.charCodeAt(at) - 48;
    if (!(digit >= 0 && digit <= 9)) return null;
    bytes = bytes * 10 + digit;
  }
  return bytes;
}

/** `HTTP/1.1 200 OK`: the status, or null. */
function statusOf(text: string): number | null {
  if (!text.startsWith("HTTP/1.1 ") && !text.startsWith("HTTP/1.0 ")) return null;
  const after = text.charCodeAt(12);
  if (text.length > 12 && after !== 32 && after !== 13) return null;
  let status = 0;
  for (let index = 9; index < 12; index++) {
    const digit = text.charCodeAt(index) - 48;
    if (!(digit >= 0 && digit <= 9)) return null;
    status = status * 10 + digit;
  }
  return status >= 100 && status < 600 ? status : null;
}

const hasToken = (list: string, token: string) =>
  list === token || (list.includes(",") && list.split(",").some((item) => item.trim() === token));

function idleSecondsOf(keepAlive: string): number | null {
  if (keepAlive === "") return null;
  const match = /timeout=(\d{1,6})/.exec(keepAlive);
  return match ? Number(match[1]) : null;
}
