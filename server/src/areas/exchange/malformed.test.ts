import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testStores } from "../../platform/testing/stores.ts";
import { bidsAt, startBidder, type TestBidder } from "./testing/start-bidder.ts";
import {
  addPartner,
  insertApp,
  removeDir,
  startExchange,
  startSession,
  type TestApp,
  type TestExchange,
} from "./testing/start-exchange.ts";

const stores = await testStores();
let exchange: TestExchange;
let bidder: TestBidder;
let app: TestApp;
let session: string;

const unlimited = { burst: 1e9, perSecond: 1e9 };
beforeAll(async () => {
  app = await insertApp(stores, { bundleId: "com.example.game" });
  bidder = await startBidder(bidsAt(1));
  await addPartner(stores, app, "buyer", bidder.endpoint);
  exchange = await startExchange(stores, { limits: { address: unlimited, app: unlimited, beacon: unlimited } });
  session = await startSession(exchange, app);
});
afterAll(async () => {
  await exchange.stop();
  bidder.close();
  await removeDir(exchange.dataDir);
});

const odd = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom<unknown>(
    null,
    "",
    -1,
    1e308,
    "\u0000",
    "\ud800",
    "__proto__",
    [],
    {},
    [[]],
    "x".repeat(5000),
    2 ** 53,
    "a'b\"<c>",
    true,
  ),
);
const openrtb = () => ({
  id: "r1",
  tmax: 50,
  imp: [
    {
      id: "1",
      tagid: "t",
      banner: { w: 320, h: 50, format: [{ w: 320, h: 50 }] },
      ext: { prebid: { bidder: { buyer: {} } } },
    },
    { id: "2", video: { mimes: ["video/mp4"], protocols: [2] } },
    { id: "3", native: { request: '{"assets":[{"id":1,"title":{"len":9}}]}' } },
  ],
  app: { id: app.uuid, bundle: "com.example.game", publisher: { id: "1" } },
  device: { ua: "x", ip: "8.8.8.8", ifa: "i", geo: { country: "USA" }, os: "android" },
  user: { id: "u", consent: "C", eids: [{ source: "s", uids: [{ id: "1" }] }] },
  regs: { gdpr: 1, coppa: 0, ext: {} },
  source: { tid: "t", schain: { complete: 1, ver: "1.0", nodes: [{ asi: "a.example", sid: "1" }] } },
  bcat: ["IAB1"],
  badv: ["bad.example"],
  cur: ["USD"],
  ext: { prebid: { targeting: { pricegranularity: { precision: 2, ranges: [{ max: 5, increment: 0.5 }] } } } },
});
const sdk = () => ({
  session,
  zone: "main",
  format: "banner",
  w: 320,
  h: 50,
  device: { os: "android", ua: "x" },
  consent: { gdpr: 1, tcf: "C" },
});
const init = () => ({
  app: app.uuid,
  platform: "android",
  sdk_version: "1.0.0",
  install_id: app.uuid,
  device: { os: "ios" },
  consent: {},
});
const bodies: [string, () => unknown][] = [
  ["/openrtb2/auction", openrtb],
  ["/sdk/v1/ad", sdk],
  ["/sdk/v1/init", init],
  ["/sdk/v1/ping", () => ({ session, seq: 1, seconds: 1 })],
  [
    "/sdk/v1/events",
    () => ({
      events: [
        { type: "click", token: "t" },
        { type: "ping", session, seq: 2, seconds: 1 },
      ],
    }),
  ],
];

function pathsOf(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== "object" || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, inner]) => pathsOf(inner, [...path, key]))];
}

/** Replaces a value, if its place still exists. */
function change(target: unknown, path: readonly string[], to: unknown): unknown {
  const [key, ...rest] = path;
  // A copy, because later changes may modify it and the generator reuses it.
  if (key === undefined) return structuredClone(to);
  if (typeof target !== "object" || target === null) return target;
  const fields = target as Record<string, unknown>;
  Object.defineProperty(fields, key, {
    value: change(fields[key], rest, to),
    enumerable: true,
    configurable: true,
    writable: true,
  });
  return target;
}

test.each(bodies)(
  "no body makes %s fail with a server error",
  async (url, good) => {
    const paths = pathsOf(good());
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.constantFrom(...paths), odd), { maxLength: 4 }), async (changes) => {
        let body = good();
        for (const [path, to] of changes) body = change(body, path, to);
        const reply = await exchange.app.inject({
          method: "POST",
          url,
          payload: JSON.stringify(body),
          headers: { "content-type": "application/json" },
        });
        expect(reply.statusCode, `${reply.body} for ${JSON.stringify(body)}`).toBeLessThan(500);
        if (reply.statusCode >= 400) expect(reply.json()).toHaveProperty("error");
      }),
      { numRuns: 300 },
    );
  },
  120_000,
);

test("no bytes make any call fail with a server error", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...bodies.map(([url]) => url)),
      fc.oneof(
        fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
        fc.json().map((text) => Buffer.from(text)),
      ),
      fc.constantFrom("application/json", "text/plain", "application/octet-stream", "multipart/form-data", ";;;", ""),
      fc.constantFrom("", "gzip", "br", "x"),
      async (url, payload, type, encoding) => {
        const headers = { ...(type && { "content-type": type }), ...(encoding && { "content-encoding": encoding }) };
        const reply = await exchange.app.inject({ method: "POST", url, payload, headers });
        expect([reply.statusCode < 500, reply.body.slice(0, 100)]).toEqual([true, expect.any(String)]);
      },
    ),
    { numRuns: 500 },
  );
}, 60_000);

test("no query makes a beacon or a tag fail with a server error", async () => {
  const keys = fc.constantFrom(
    "t",
    "to",
    "s",
    "e",
    "app",
    "zone",
    "w",
    "h",
    "format",
    "max",
    "ifa",
    "lmt",
    "gdpr",
    "__proto__",
  );
  const values = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.constantFrom("", "0", "-1", "main", "video", "https://evil.example/", "a.b.c", "..", "x".repeat(5000)),
    fc.constant(app.uuid),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom("/beacon/impression", "/beacon/click", "/beacon/loss", "/vast"),
      fc.array(fc.tuple(keys, values), { maxLength: 6 }),
      async (path, pairs) => {
        const query = pairs.map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join("&");
        const reply = await exchange.app.inject({ method: "GET", url: `${path}?${query}` });
        expect([reply.statusCode < 500, reply.body.slice(0, 100)]).toEqual([true, expect.any(String)]);
        expect(reply.statusCode).not.toBe(302);
      },
    ),
    { numRuns: 500 },
  );
}, 60_000);
