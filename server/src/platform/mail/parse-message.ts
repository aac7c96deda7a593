import type { Mail } from "./mailer.ts";

/** Reads a message of the form that the file mailbox writes; null where it is anything else. */
export function parseMessage(bytes: Buffer): Mail | null {
  const whole = splitPart(bytes.toString("latin1"));
  const boundary = /multipart\/alternative;[^]*?boundary="([^"]+)"/i.exec(whole.header("content-type"))?.[1];
  const to = bareAddress(whole.header("to"));
  const replyTo = bareAddress(whole.header("reply-to"));
  if (boundary === undefined || to === "") return null;
  const parts = whole.body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => splitPart(part.replace(/^\r?\n/, "").replace(/\r?\n$/, "")));
  const text = parts.find((part) => part.header("content-type").startsWith("text/plain"));
  const html = parts.find((part) => part.header("content-type").startsWith("text/html"));
  if (!text || !html) return null;
  return {
    to,
    ...(replyTo !== "" && { replyTo }),
    subject: decodeWords(whole.header("subject")),
    text: decodeBody(text),
    html: decodeBody(html),
  };
}

/** The address of a header, with or without angle brackets. */
const bareAddress = (header: string) => /<([^<>]+)>\s*$/.exec(header)?.[1] ?? header;

interface Part {
  /** An unfolded header's value; empty where there is none. */
  header(name: string): string;
  body: string;
}

function splitPart(source: string): Part {
  const end = /\r?\n\r?\n/.exec(source);
  const head = end ? source.slice(0, end.index) : source;
  const headers = new Map<string, string>();
  for (const line of head.replaceAll(/\r?\n(?=[ \t])/g, "").split(/\r?\n/)) {
    const colon = line.indexOf(":");
    if (colon > 0) headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
  }
  return {
    header: (name) => headers.get(name) ?? "",
    body: end ? source.slice(end.index + end[0].length) : "",
  };
}

/** RFC 2045, 6: base64, quoted-printable, or as it is. Lines end with a line feed alone. */
function decodeBody({ header, body }: Part): string {
  const encoding = header("content-transfer-encoding").toLowerCase();
  const bytes =
    encoding === "base64"
      ? Buffer.from(body, "base64")
      : Buffer.from(encoding === "quoted-printable" ? unquoted(body.replaceAll(/=[ \t]*\r?\n/g, "")) : body, "latin1");
  return bytes.toString("utf8").replaceAll("\r\n", "\n");
}

/** RFC 2047: encoded words, the white space between two of which belongs to nobody. */
function decodeWords(value: string): string {
  const joined = value.replaceAll(/(\?=)\s+(?==\?)/g, "$1");
  const words = /(?:=\?utf-8\?[bq]\?[^?]*\?=)+/gi;
  // Neighbours are joined as bytes first: a letter of several bytes may be parted between them.
  return joined.replaceAll(words, (run) =>
    Buffer.concat(
      [...run.matchAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi)].map(([, kind = "", text = ""]) =>
        kind.toLowerCase() === "b"
          ? Buffer.from(text, "base64")
          : Buffer.from(unquoted(text.replaceAll("_", " ")), "latin1"),
      ),
    ).toString("utf8"),
  );
}

const unquoted = (text: string) =>
  text.replaceAll(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
