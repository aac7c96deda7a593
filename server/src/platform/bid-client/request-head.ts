/** A call's target, parsed once per address. */
export interface Target {
  isTls: boolean;
  host: string;
  port: number;
  /** `scheme://host:port`, the key of its pool. */
  origin: string;
  /** The part of the head before the variable headers: request target and host. */
  hostLine: string;
  path: string;
}

/** Parses an http or https address; null if it is neither. */
export function targetOf(url: string): Target | null {
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    return null;
  }
  const isTls = parsed.protocol === "https:";
  if ((!isTls && parsed.protocol !== "http:") || parsed.hostname === "") return null;
  const port = parsed.port === "" ? (isTls ? 443 : 80) : Number(parsed.port);
  // Sockets take an IPv6 host without brackets.
  const host = parsed.hostname.startsWith("[") ? parsed.hostname.slice(1, -1) : parsed.hostname;
  return {
    isTls,
    host,
    port,
    origin: parsed.origin,
    hostLine: `host: ${parsed.host}\r\n`,
    path: `${parsed.pathname}${parsed.search}`,
  };
}

/** Headers for the connection and framing, which only this client sets. */
const OWN_HEADERS = new Set([
  "host",
  "content-length",
  "transfer-encoding",
  "connection",
  "content-encoding",
  "accept-encoding",
  "expect",
  "upgrade",
  "te",
]);
const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
// Printable ASCII and tabs: nothing that could end the line.
const VALUE = /^[\t\x20-\x7e]*$/;

/** The lines of a set of headers; null if one cannot be sent unchanged. */
export function renderHeaders(headers: Record<string, string>): string | null {
  let lines = "";
  for (const [name, value] of Object.entries(headers)) {
    if (!NAME.test(name) || !VALUE.test(value)) return null;
    if (!OWN_HEADERS.has(name.toLowerCase())) lines += `${name}: ${value}\r\n`;
  }
  return lines;
}
