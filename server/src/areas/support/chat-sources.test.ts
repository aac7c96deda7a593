import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildServer } from "../../platform/http/build-server.ts";
import type { PageSources } from "../../platform/http/secure-headers.ts";
import { serveWebPages } from "../../platform/http/web-pages.ts";
import { silentLog } from "../../platform/log.ts";
import { CHAT_SOURCES } from "./index.ts";

let webDir: string;
beforeAll(async () => {
  webDir = await mkdtemp(join(tmpdir(), "millrace-web-"));
  await mkdir(join(webDir, "assets"));
  for (const page of ["index.html", "landing.html"]) {
    await writeFile(join(webDir, page), "<!doctype html><title>Millrace</title>");
  }
});
afterAll(() => rm(webDir, { recursive: true }));

/** The sources that our pages' policy allows, by directive. */
async function policyWith(allowed?: PageSources): Promise<Map<string, string[]>> {
  const app = await buildServer({ log: silentLog, trustedProxies: 0, authenticate: async () => null });
  await serveWebPages(app, webDir, allowed);
  const { headers } = await app.inject({ url: "/apps", headers: { accept: "text/html" } });
  await app.close();
  const lines = String(headers["content-security-policy"]).split("; ");
  return new Map(lines.map((line) => [line.split(" ")[0] ?? "", line.split(" ").slice(1)]));
}

const elsewhere = (policy: Map<string, string[]>) =>
  [...policy].flatMap(([name, sources]) =>
    name === "img-src" ? [] : sources.filter((source) => !source.startsWith("'")),
  );
const nonce: unknown = expect.stringMatching(/^'nonce-/);

test("pages allow only the documented sources of the chat, and none without it", async () => {
  const [without, withChat] = [await policyWith(), await policyWith(CHAT_SOURCES)];
  expect(elsewhere(without)).toEqual([]);
  expect([without.get("script-src"), without.get("style-src")]).toEqual([
    ["'self'", nonce],
    ["'self'", nonce],
  ]);
  // A nonce would void the permission of inline styles.
  expect(withChat.get("style-src")).toEqual(["'self'", "'unsafe-inline'"]);
  expect(withChat.get("script-src")).toEqual([
    "'self'",
    nonce,
    "https://app.intercom.io",
    "https://widget.intercom.io",
    "https://js.intercomcdn.com",
  ]);
  expect(withChat.get("connect-src")).toContain("wss://nexus-websocket-a.intercom.io");
  for (const source of elsewhere(withChat))
    expect(source).toMatch(/^(https|wss):\/\/(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)+$/);
  for (const name of ["default-src", "object-src", "base-uri", "frame-ancestors"]) {
    expect([name, withChat.get(name)]).toEqual([name, without.get(name)]);
  }
});
