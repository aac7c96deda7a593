import { gzipSync } from "node:zlib";
import type { Seed } from "@millrace/contract/testing";
import fc from "fast-check";

/** A request as sent over the wire. `body` is bytes, because many of the bodies are not text. */
export interface HostileRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer | null;
}

const HOSTILE_TEXT = [
  "",
  " ",
  "\u0000",
  "\ud800",
  "\u202e\u0301\ufeff",
  "a".repeat(20_000),
  "'; DROP TABLE apps; --",
  "${7*7}{{7*7}}",
  "<script>alert(1)</script>",
  "../../../../etc/passwd",
  "__proto__",
  "constructor",
  "1e309",
  "-0",
  "NaN",
  "9".repeat(400),
];

/** JSON that JSON.stringify never writes: out-of-range numbers, bare words, duplicate keys. */
const RAW_JSON = [
  "1e309",
  "-1e309",
  "1e-400",
  "9007199254740993",
  "-9223372036854775809",
  "0.1e1000000",
  "NaN",
  "Infinity",
  "undefined",
  "01",
  "'text'",
  '{"a":1,"a":{"a":[]}}',
  '{"__proto__":{"isAdmin":true,"banner":{}}}',
  '{"constructor":{"prototype":{"polluted":1}}}',
  '{"toString":null,"hasOwnProperty":1,"then":{}}',
  '"\\ud800\\u0000"',
  "[".repeat(3000) + "]".repeat(3000),
  '{"a":'.repeat(2000) + "1" + "}".repeat(2000),
];

const hostileJson = fc.oneof(
  fc.constantFrom(...RAW_JSON),
  fc.constantFrom(...HOSTILE_TEXT).map((text) => JSON.stringify(text)),
  fc.json({ maxDepth: 4 }),
  fc.constantFrom("null", "true", "-1", "0", "1.5", "[]", "{}", "[[]]", "[null]", "[{}]", '""'),
);

type Path = readonly (string | number)[];

/** Every place inside a JSON value. */
function placesIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [path];
  const entries: [string | number, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [path, ...entries.flatMap(([key, inner]) => placesIn(inner, [...path, key]))];
}

/** The JSON of `value` with the text `raw` at `path`. `null` omits that place. */
function jsonWith(value: unknown, path: Path, raw: string | null): string {
  const [key, ...rest] = path;
  if (key === undefined) return raw ?? "";
  if (Array.isArray(value)) {
    const items = value.map((item, index) => (index === key ? jsonWith(item, rest, raw) : JSON.stringify(item)));
    return `[${items.filter((item) => item !== "").join(",")}]`;
  }
  const entries = Object.entries(value as object).map(([name, inner]) => {
    const text = name === key ? jsonWith(inner, rest, raw) : JSON.stringify(inner);
    return text === "" || text === undefined ? "" : `${JSON.stringify(name)}:${text}`;
  });
  return `{${entries.filter((entry) => entry !== "").join(",")}}`;
}

/** A nearly valid body: one place is replaced or omitted, sometimes with undeclared keys added. */
const mutated = (seed: unknown) => {
  const places = placesIn(seed);
  return fc
    .tuple(fc.constantFrom(...places), fc.option(hostileJson, { nil: null, freq: 6 }), fc.boolean())
    .map(([path, raw, foreign]) => {
      const text = jsonWith(seed, path, raw);
      return foreign && text.startsWith("{") ? `{"__proto__":{"x":1},"foreign_key":[],${text.slice(1)}` : text;
    })
    .map((text) => Buffer.from(text));
};

const brokenBytes = (seed: unknown): fc.Arbitrary<Buffer> => {
  const text = Buffer.from(JSON.stringify(seed ?? {}));
  return fc.oneof(
    // Truncated, with invalid UTF-8, with a byte order mark, in another encoding, or as undeclared gzip.
    fc.nat(text.length).map((length) => text.subarray(0, length)),
    fc.tuple(fc.nat(text.length), fc.uint8Array({ maxLength: 8 })).map(([at, bytes]) => {
      return Buffer.concat([
        text.subarray(0, at),
        Buffer.from([0xff, 0xc3, 0x28]),
        Buffer.from(bytes),
        text.subarray(at),
      ]);
    }),
    fc.constantFrom(
      Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), text]),
      Buffer.from(text.toString(), "utf16le"),
      gzipSync(text),
      Buffer.from(""),
      Buffer.from("null"),
      Buffer.from(`{"a":`.repeat(50_000)),
      Buffer.from("[".repeat(100_000)),
    ),
    fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
    hostileJson.map((json) => Buffer.from(json)),
  );
};

const CONTENT_TYPES = [
  "application/json",
  "application/json; charset=utf-16",
  "text/plain",
  "text/html",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "multipart/form-data",
  "application/octet-stream",
  "garbage",
  "application/json, application/json",
  ";;;",
];

const header = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Record<string, string>>({}) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Record<string, string>>(
      { "content-encoding": "gzip" },
      { "content-encoding": "br" },
      { "content-encoding": "x".repeat(500) },
      { accept: "text/html" },
      { accept: "\u00ff/*;q=9" },
      { cookie: "session=%00; __Host-session=abc; =; ;" },
      { authorization: "Bearer " + "a".repeat(4000) },
      { "user-agent": "x".repeat(6000) },
      { "accept-language": "*".repeat(2000) },
      { origin: "null", "sec-fetch-site": "cross-site" },
      { host: "evil.example" },
      { range: "bytes=9-1,5-" },
      { "if-modified-since": "never" },
    ),
  },
);

const queryText = (seed: Record<string, string>) => {
  const names = Object.keys(seed);
  const value = fc.oneof(
    fc.constantFrom(...HOSTILE_TEXT),
    fc.string({ maxLength: 40 }),
    fc.constantFrom("-1", "1e9", "0"),
  );
  const encoded = value.map((text) => encodeURIComponent(Buffer.from(text.slice(0, 6000)).toString()));
  const raw = fc.constantFrom(
    "%",
    "%zz",
    "%00",
    "%ff%fe",
    "%c0%ae",
    "&&&==",
    "a[b][c]=1",
    "a".repeat(6000),
    "t=1&t=2&t=3",
  );
  const pair = fc
    .tuple(fc.constantFrom(...names, "__proto__", "constructor", "x"), encoded)
    .map(([name, text]) => `${name}=${text}`);
  const usual = names.map((name) => `${name}=${encodeURIComponent(seed[name] ?? "")}`);
  return fc
    .tuple(
      fc.subarray(usual),
      fc.array(fc.oneof({ weight: 4, arbitrary: pair }, { weight: 1, arbitrary: raw }), { minLength: 1, maxLength: 3 }),
    )
    .map(([kept, wrong]) => [...kept, ...wrong].join("&"));
};

/** Malformed requests to one endpoint. */
export function hostileRequest(seed: Seed): fc.Arbitrary<HostileRequest> {
  const body: fc.Arbitrary<Buffer | null> =
    seed.body === undefined
      ? fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: brokenBytes({}) })
      : fc.oneof({ weight: 3, arbitrary: mutated(seed.body) }, { weight: 1, arbitrary: brokenBytes(seed.body) });
  const type = fc.oneof(
    { weight: 4, arbitrary: fc.constant("application/json") },
    { weight: 1, arbitrary: fc.constantFrom(...CONTENT_TYPES) },
  );
  const method = fc.oneof(
    { weight: 12, arbitrary: fc.constant<string>(seed.method) },
    { weight: 1, arbitrary: fc.constantFrom("GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD") },
  );
  const query = seed.query
    ? queryText(seed.query)
    : fc.oneof({ weight: 5, arbitrary: fc.constant("") }, { weight: 1, arbitrary: queryText({}) });
  return fc.record({ method, query, body, type, header }).map(({ method, query, body, type, header }) => {
    const sent = method === "GET" || method === "HEAD" ? null : body;
    return {
      method,
      path: query === "" ? seed.path : `${seed.path}?${query}`,
      headers: { ...header, ...(sent === null ? {} : { "content-type": type, "content-length": String(sent.length) }) },
      body: sent,
    };
  });
}
