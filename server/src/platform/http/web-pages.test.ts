import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineCall } from "@millrace/contract";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { silentLog } from "../log.ts";
import { someCaller } from "../testing/some-caller.ts";
import { buildServer } from "./build-server.ts";
import { serve } from "./serve.ts";
import { serveWebPages } from "./web-pages.ts";

const shared = defineCall({
  method: "GET",
  path: "/shared",
  summary: "A call with a page at the same path",
  access: "campaigns.read",
  query: z.strictObject({ p: z.coerce.number().default(0) }),
  reply: z.object({ p: z.number() }),
  sharesPath: true,
});
const plain = defineCall({ method: "GET", path: "/plain", summary: "A call", access: "public", reply: z.object({}) });
const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

let app: FastifyInstance;
let webDir: string;
beforeAll(async () => {
  webDir = await mkdtemp(join(tmpdir(), "millrace-web-"));
  await mkdir(join(webDir, "assets"));
  await writeFile(join(webDir, "index.html"), '<!doctype html><script nonce="__CSP_NONCE__"></script>');
  await writeFile(
    join(webDir, "landing.html"),
    '<!doctype html><html data-demo="__DEMO__"><script nonce="__CSP_NONCE__"></script>__NAMES__ __NAMES__',
  );
  app = await buildServer({
    log: silentLog,
    trustedProxies: 0,
    authenticate: async ({ headers }) => (headers.cookie === undefined ? null : someCaller()),
  });
  serve(app, shared, async ({ query }) => query);
  serve(app, plain, async () => ({}));
  await serveWebPages(app, webDir, {}, async () => ({ __DEMO__: "no", __NAMES__: "$& <i>A</i>" }));
});
afterAll(async () => {
  await app.close();
  await rm(webDir, { recursive: true });
});

const ask = (headers: Record<string, string>, method: "GET" | "HEAD" = "GET", url = "/shared?p=2") =>
  app.inject({ method, url, headers });

test.each([
  ["signed in", { cookie: "millrace=1" }],
  ["signed out", {}],
])("a browser that navigates to a shared path gets the page, %s", async (_, headers) => {
  const page = await ask({ ...headers, accept: BROWSER });
  expect([page.statusCode, page.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
  expect(page.body).toMatch(/^<!doctype html><script nonce="[\w+/=]+">/);
  expect(page.headers["content-security-policy"]).toContain("script-src 'self' 'nonce-");
  expect(page.headers["cache-control"]).toBe("no-cache");
  expect(page.headers["vary"]).toContain("Accept");
});

test.each([
  ["asks for JSON", { accept: "application/json" }],
  ["accepts anything", { accept: "*/*" }],
  ["sends no Accept", {}],
])("a client that %s gets the call, which requires sign-in", async (_, headers) => {
  const reply = await ask({ ...headers, cookie: "millrace=1" });
  expect([reply.statusCode, reply.json()]).toEqual([200, { p: 2 }]);
  expect(reply.headers["vary"]).toContain("Accept");
  expect(reply.headers["cache-control"]).toBe("no-store");
  const refused = await ask(headers);
  expect([refused.statusCode, refused.json()]).toEqual([401, { error: "Please log in" }]);
  expect(refused.headers["vary"]).toContain("Accept");
});

test("HEAD is answered as GET is", async () => {
  const page = await ask({ accept: BROWSER }, "HEAD");
  expect([page.statusCode, page.headers["content-type"], page.body]).toEqual([200, "text/html; charset=utf-8", ""]);
  const call = await ask({ cookie: "millrace=1" }, "HEAD");
  expect([call.statusCode, call.headers["content-type"], call.body]).toEqual([
    200,
    "application/json; charset=utf-8",
    "",
  ]);
  expect((await ask({}, "HEAD")).statusCode).toBe(401);
});

test("a call that shares no path answers browsers too", async () => {
  const reply = await ask({ accept: BROWSER }, "GET", "/plain");
  expect([reply.statusCode, reply.json(), reply.headers["vary"]]).toEqual([200, {}, undefined]);
});

test.each(["/", "/?auth=login&redirect_to=%2Fapps", "/?"])("%s is the landing page, whoever asks", async (url) => {
  for (const accept of [BROWSER, "*/*", "application/json"]) {
    const page = await ask({ accept }, "GET", url);
    expect([page.statusCode, page.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect(page.body).toMatch(/^<!doctype html><html data-demo="no"><script nonce="[\w+/=]+">/);
    // A part is taken as it is: `$&` is no pattern of it.
    expect(page.body).toContain("$& <i>A</i> $& <i>A</i>");
    expect(page.headers["cache-control"]).toBe("no-cache");
  }
  expect((await ask({}, "HEAD", url)).statusCode).toBe(200);
});

test("an address that only begins like the landing page's is another page", async () => {
  expect((await ask({ accept: BROWSER }, "GET", "/?/../x")).body).toContain("data-demo");
  expect((await ask({ accept: BROWSER }, "GET", "/landing.html")).body).not.toContain("data-demo");
  expect((await ask({ accept: "*/*" }, "GET", "/landing.html")).statusCode).toBe(404);
});
