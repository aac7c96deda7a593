import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { silentLog } from "../log.ts";
import { buildServer } from "./build-server.ts";
import { serveBuiltAssets } from "./built-assets.ts";

const SCRIPT = `export const text = "${"words ".repeat(1000)}";`;
const FONT = Buffer.from([0x77, 0x4f, 0x46, 0x32, 0, 1, 2, 255]);

let app: FastifyInstance;
let dir: string;
beforeAll(async () => {
  const parent = await mkdtemp(join(tmpdir(), "millrace-assets-"));
  dir = join(parent, "assets");
  await mkdir(dir);
  await writeFile(join(parent, "secret.js"), "no asset");
  await writeFile(join(dir, "page-AbC1.js"), SCRIPT);
  await writeFile(join(dir, "page-AbC1.js.br"), brotliCompressSync(SCRIPT));
  await writeFile(join(dir, "page-AbC1.js.gz"), gzipSync(SCRIPT));
  await writeFile(join(dir, "small-1.css"), "a{}");
  await writeFile(join(dir, "inter-2.woff2"), FONT);
  app = await buildServer({ log: silentLog, trustedProxies: 0, authenticate: async () => null });
  await serveBuiltAssets(app, "/assets/", dir);
  app.get("/reply", async () => ({ text: "words ".repeat(1000) }));
});
afterAll(async () => {
  await app.close();
  await rm(join(dir, ".."), { recursive: true });
});

const ask = (file: string, encodings?: string, method: "GET" | "HEAD" = "GET") =>
  app.inject({
    method,
    url: `/assets/${file}`,
    headers: encodings === undefined ? {} : { "accept-encoding": encodings },
  });

test.each([
  ["gzip, deflate, br, zstd", "br"],
  ["gzip, deflate", "gzip"],
  ["br;q=0, gzip", "gzip"],
  ["br;q=0.5, gzip;q=0.9", "gzip"],
  ["GZIP", "gzip"],
  ["*", "br"],
  ["br;q=0, *", "gzip"],
  ["*, br;q=0", "gzip"],
  ["*;q=0.5, BR ; q=0", "gzip"],
  ["br;q=0, gzip;q=0, *;q=0.1", "identity"],
  ["br;q=0, x-gzip;q=0, *", "identity"],
  ["br;q=0.2, *;q=0.9", "gzip"],
  ["*;q=0", "identity"],
  // The examples of RFC 9110, section 12.5.3.
  ["compress, gzip", "gzip"],
  ["compress;q=0.5, gzip;q=1.0", "gzip"],
  ["gzip;q=1.0, identity; q=0.5, *;q=0", "gzip"],
  ["zstd, deflate", "identity"],
  ["identity", "identity"],
  ["gzip;q=0, br;q=0", "identity"],
  ["", "identity"],
  [undefined, "identity"],
])("a script for a client that accepts %j is sent as %s", async (accepted, coding) => {
  const reply = await ask("page-AbC1.js", accepted);
  expect([reply.statusCode, reply.headers["content-encoding"] ?? "identity"]).toEqual([200, coding]);
  const body = reply.rawPayload;
  const text = coding === "br" ? brotliDecompressSync(body) : coding === "gzip" ? gunzipSync(body) : body;
  expect(text.toString()).toBe(SCRIPT);
  expect(reply.headers).toMatchObject({
    "content-type": "text/javascript; charset=utf-8",
    "content-length": String(body.length),
    "cache-control": "public, max-age=31536000, immutable",
    "x-content-type-options": "nosniff",
  });
  expect(reply.headers["vary"]).toMatch(/accept-encoding/i);
});

test.each([
  ["br;q=0, *", "gzip"],
  ["*, br;q=0, gzip;q=0", "deflate"],
  ["*", "br"],
  ["x-gzip", "gzip"],
  ["gzip;q=1.0, identity; q=0.5, *;q=0", "gzip"],
  ["*;q=0", undefined],
])("a reply to a client that accepts %j is compressed by the same rule, as %s", async (accepted, coding) => {
  const { headers } = await app.inject({ url: "/reply", headers: { "accept-encoding": accepted } });
  expect(headers["content-encoding"]).toBe(coding);
});

test("a file without compressed copies is sent as it is", async () => {
  const font = await ask("inter-2.woff2", "gzip, br");
  expect([font.rawPayload, font.headers["content-type"], font.headers["content-encoding"]]).toEqual([
    FONT,
    "font/woff2",
    undefined,
  ]);
  expect((await ask("small-1.css", "gzip, br")).body).toBe("a{}");
});

test("HEAD has the headers of GET, and no body", async () => {
  const [head, get] = [await ask("page-AbC1.js", "br", "HEAD"), await ask("page-AbC1.js", "br")];
  expect(head.body).toBe("");
  for (const name of ["content-type", "content-encoding", "content-length", "cache-control"]) {
    expect(head.headers[name]).toBe(get.headers[name]);
  }
});

test.each([
  "none.js",
  "page-AbC1.js.br",
  "",
  "..%2Fsecret.js",
  "../secret.js",
  "%00",
  "constructor",
  "a/page-AbC1.js",
  "PAGE-ABC1.JS",
])("there is nothing at %j", async (file) => {
  expect((await ask(file)).statusCode).toBe(404);
});

test("a file of an unknown type is refused at the start", async () => {
  const other = await mkdtemp(join(tmpdir(), "millrace-assets-"));
  await writeFile(join(other, "film.mov"), "film");
  const server = await buildServer({ log: silentLog, trustedProxies: 0, authenticate: async () => null });
  await expect(serveBuiltAssets(server, "/assets/", other)).rejects.toThrow("film.mov");
  await rm(other, { recursive: true });
});
