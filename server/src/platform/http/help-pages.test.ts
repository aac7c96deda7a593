import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { silentLog } from "../log.ts";
import { buildServer } from "./build-server.ts";
import { serveHelp } from "./help-pages.ts";

const HASH = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='";
let app: FastifyInstance;
let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "millrace-help-"));
  await Promise.all(["start", "assets"].map((folder) => mkdir(join(dir, folder))));
  const files = { "index.html": "home", "reasons.html": "reasons", "start/index.html": "start", "404.html": "missing" };
  for (const [name, text] of Object.entries({ ...files, "assets/app.js": "1;" }))
    await writeFile(join(dir, name), text);
  await writeFile(join(dir, "reasons.html.gz"), gzipSync("reasons"));
  await writeFile(join(dir, "inline-scripts.json"), JSON.stringify([HASH]));
  app = await buildServer({ log: silentLog, trustedProxies: 0, authenticate: async () => null });
  await serveHelp(app, dir);
});
afterAll(async () => {
  await app.close();
  await rm(dir, { recursive: true });
});

test.each([
  ["/help/", "home", "text/html; charset=utf-8"],
  ["/help/reasons", "reasons", "text/html; charset=utf-8"],
  ["/help/reasons?x=1", "reasons", "text/html; charset=utf-8"],
  ["/help/start/", "start", "text/html; charset=utf-8"],
  ["/help/assets/app.js", "1;", "application/javascript; charset=utf-8"],
])("%s is served", async (url, body, type) => {
  const reply = await app.inject({ url });
  expect([reply.statusCode, reply.body, reply.headers["content-type"]]).toEqual([200, body, type]);
});

test("a page may run the scripts of this origin and those that the build has listed, and no others", async () => {
  const { headers } = await app.inject({ url: "/help/reasons" });
  const policy = String(headers["content-security-policy"]);
  expect(policy).toContain(`script-src 'self' ${HASH};`);
  expect(policy).toContain("style-src 'self';");
  expect(policy).not.toContain("unsafe");
  expect(headers["cache-control"]).toBe("no-cache");
});

test("hashed files are cached for a year, and a compressed copy is sent to those who take it", async () => {
  expect((await app.inject({ url: "/help/assets/app.js" })).headers["cache-control"]).toContain("immutable");
  const reply = await app.inject({ url: "/help/reasons", headers: { "accept-encoding": "gzip" } });
  expect(reply.headers["content-encoding"]).toBe("gzip");
  expect(reply.headers["content-type"]).toBe("text/html; charset=utf-8");
  const other = await app.inject({ url: "/help/reasons", headers: { "accept-encoding": "gzip;q=0, *" } });
  expect(other.headers["content-encoding"]).not.toBe("gzip");
});

test("the address without its slash leads to the help", async () => {
  const reply = await app.inject({ url: "/help" });
  expect([reply.statusCode, reply.headers.location]).toEqual([302, "/help/"]);
});

test.each([
  "/help/nothing",
  "/help/..%2f..%2fpackage.json",
  "/help/start/../inline-scripts",
  "/help/reasons.html.gz/x",
])("%s is a page of the help that says that there is none, with 404", async (url) => {
  const reply = await app.inject({ url });
  expect([reply.statusCode, reply.body]).toEqual([404, "missing"]);
});
