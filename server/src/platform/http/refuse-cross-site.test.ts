import { defineCall } from "@millrace/contract";
import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { silentLog } from "../log.ts";
import { buildServer } from "./build-server.ts";
import { serve } from "./serve.ts";

const leave = defineCall({
  method: "GET",
  path: "/leave",
  summary: "May be typed",
  access: "public",
  reply: z.object({ ok: z.literal(true) }),
  changesState: true,
  mayBeTyped: true,
});
const drop = defineCall({ ...leave, path: "/drop", summary: "May not", mayBeTyped: false });
const post = defineCall({ ...leave, method: "POST", path: "/post", summary: "No GET" });

const app = await buildServer({ log: silentLog, trustedProxies: 0, authenticate: async () => null });
let changes = 0;
for (const call of [leave, drop, post]) {
  serve(app, call, async () => {
    changes++;
    return { ok: true as const };
  });
}
afterAll(() => app.close());

/** The headers of a typed-in address. */
const TYPED = {
  accept: "text/html,application/xhtml+xml,*/*;q=0.8",
  "sec-fetch-site": "none",
  "sec-fetch-mode": "navigate",
  "sec-fetch-user": "?1",
  "sec-fetch-dest": "document",
};
async function ask(url: string, headers: Record<string, string>, method: "GET" | "POST" = "GET") {
  const before = changes;
  const { statusCode } = await app.inject({ method, url, headers });
  return [statusCode, changes - before];
}
const without = (name: keyof typeof TYPED) =>
  Object.fromEntries(Object.entries(TYPED).filter(([header]) => header !== name));

test("a typed address works for harmless calls only", async () => {
  expect(await ask("/leave", TYPED)).toEqual([200, 1]);
  expect(await ask("/drop", TYPED)).toEqual([403, 0]);
  expect(await ask("/post", TYPED, "POST")).toEqual([403, 0]);
});

test.each([
  ["a link on another site", { ...TYPED, "sec-fetch-site": "cross-site" }],
  ["a link on a neighbouring host", { ...TYPED, "sec-fetch-site": "same-site" }],
  ["an image of another site's", { ...TYPED, "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" }],
  ["a navigation without a person's act", without("sec-fetch-user")],
  ["a request that is no navigation", { ...TYPED, "sec-fetch-mode": "no-cors" }],
  ["a request that does not say what it is", without("sec-fetch-mode")],
  ["a request for something else than a page", { ...TYPED, accept: "image/*" }],
  ["what a browser loads ahead while somebody types", { ...TYPED, "sec-purpose": "prefetch;prerender" }],
  ["the same in an older browser", { ...TYPED, purpose: "prefetch" }],
])("%s changes nothing, even for calls that may be typed in", async (_what, headers) => {
  expect(await ask("/leave", headers)).toEqual([403, 0]);
});

test("a HEAD request changes nothing", async () => {
  for (const headers of [{}, { accept: "application/json" }, { "sec-fetch-site": "same-origin" }, TYPED]) {
    const before = changes;
    const reply = await app.inject({ method: "HEAD", url: "/leave", headers });
    expect([reply.statusCode, changes]).toEqual([404, before]);
  }
});

test("without Fetch Metadata and Origin, cookies only work from our own pages", async () => {
  // Over plain HTTP browsers send no Fetch Metadata, and with a GET no Origin; a page may ask for JSON, and send no Referer.
  const plain = { accept: "application/json", cookie: "millrace=a", host: "192.0.2.1:8080" };
  expect(await ask("/drop", plain)).toEqual([403, 0]);
  expect(await ask("/drop", { ...plain, referer: "http://192.0.2.1:9000/" })).toEqual([403, 0]);
  expect(await ask("/drop", { ...plain, referer: "about:blank" })).toEqual([403, 0]);
  expect(await ask("/drop", { ...plain, referer: "http://192.0.2.1:8080/apps" })).toEqual([200, 1]);
  const { cookie: _none, ...program } = plain;
  expect(await ask("/drop", program)).toEqual([200, 1]);
});
