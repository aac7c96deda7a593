/** What the head of a response says about the body that follows it (RFC 9112, section 6.3). */
export interface ResponseHead {
  status: number;
  framing: "none" | "length" | "chunked" | "until_close";
  /** Bytes of the body, where `framing` is `length`. */
  length: number;
  /** In lower case; empty for identity. */
  encoding: string;
  keepAlive: boolean;
  /** How long the peer keeps an unused connection, where it says so. */
  idleSeconds: number | null;
}

const MAX_LENGTH_DIGITS = 15;

/** Reads a head (without its final empty line); null where it is not a response of HTTP/1.0 or 1.1, or contradicts itself. */
export function readResponseHead(text: string): ResponseHead | null {
  const status = statusOf(text);
  if (status === null) return null;
  const head = `${text.toLowerCase()}\r\n`;
  // A folded line could hide a framing header from us (RFC 9112, section 5.2).
  if (head.includes("\r\n ") || head.includes("\r\n\t") || head.includes("\0")) return null;
  const connection = valueOf(head, "connection");
  const keepAlive = head.startsWith("http/1.1") ? !hasToken(connection, "close") : hasToken(connection, "keep-alive");
  const encoding = valueOf(head, "content-encoding");
  const made: ResponseHead = {
    status,
    framing: "none",
    length: 0,
    encoding: encoding === "identity" ? "" : encoding,
    keepAlive,
    idleSeconds: idleSecondsOf(head),
  };
  if (status < 200 || status === 204 || status === 304) return made;
  const transfer = valueOf(head, "transfer-encoding");
  if (transfer !== "") {
    // Both headers are how responses are smuggled: read the body, then never use the connection again.
    if (head.includes("\r\ncontent-length:")) made.keepAlive = false;
    made.framing = "chunked";
    return transfer === "chunked" ? made : null;
  }
  return withLength(made, head);
}

function withLength(made: ResponseHead, head: string): ResponseHead | null {
  const length = valueOf(head, "content-length");
  if (length === "") {
    if (head.includes("\r\ncontent-length:")) return null;
    made.framing = "until_close";
    made.keepAlive = false;
    return made;
  }
  for (const value of length.split(",")) {
    const digits = value.trim();
    if (digits.length > MAX_LENGTH_DIGITS || !/^\d+$/.test(digits)) return null;
    const bytes = Number(digits);
    if (made.framing === "length" && bytes !== made.length) return null;
    made.framing = "length";
    made.length = bytes;
  }
  return made;
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

/** All values of a header, joined by commas, from a head in lower case that ends with a line break. */
function valueOf(head: string, name: string): string {
  const key = `\r\n${name}:`;
  let at = head.indexOf(key);
  if (at === -1) return "";
  let value = "";
  while (at !== -1) {
    const start = at + key.length;
    const end = head.indexOf("\r\n", start);
    const part = head.slice(start, end).trim();
    value = value === "" ? part : `${value},${part}`;
    at = head.indexOf(key, end);
  }
  return value;
}

const hasToken = (list: string, token: string) =>
  list === token || (list.includes(",") && list.split(",").some((item) => item.trim() === token));

function idleSecondsOf(head: string): number | null {
  const at = head.indexOf("\r\nkeep-alive:");
  if (at === -1) return null;
  const match = /timeout=(\d{1,6})/.exec(head.slice(at, head.indexOf("\r\n", at + 2)));
  return match ? Number(match[1]) : null;
}
