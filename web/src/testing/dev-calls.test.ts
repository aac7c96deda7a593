// @vitest-environment node
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { callSeeds, seedIds } from "@millrace/contract/testing";
import { type ViteDevServer, createServer as createVite } from "vite";
import { afterAll, beforeAll, expect, test } from "vitest";

const WEB = fileURLToPath(new URL("../..", import.meta.url));

/** A stand-in for the server that reports its requests. */
const server = createServer(({ method, url, headers }, reply) => {
  const { cookie, authorization } = headers;
  reply.setHeader("set-cookie", "session=new; HttpOnly");
  reply.end(JSON.stringify({ method, url, cookie, authorization }));
});
let vite: ViteDevServer;
let origin: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  process.env["MILLRACE_SERVER"] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  vite = await createVite({
    root: WEB,
    configFile: `${WEB}vite.config.ts`,
    // The configuration draws the landing page, from the workspace's TypeScript.
    configLoader: "runner",
    logLevel: "silent",
    optimizeDeps: { noDiscovery: true },
    server: { host: "127.0.0.1", port: 0, hmr: false, watch: null },
  });
  await vite.listen();
  origin = new URL(vite.resolvedUrls?.local[0] ?? "").origin;
});
afterAll(async () => {
  delete process.env["MILLRACE_SERVER"];
  await vite.close();
  await new Promise((resolve) => server.close(resolve));
});

const PAGE = "text/html,application/xhtml+xml,*/*;q=0.8";
const ask = (path: string, accept: string, method = "GET") =>
  fetch(origin + path, { method, headers: { accept, cookie: "session=mine" }, redirect: "manual" });

test("in development every call is proxied to the server, with its cookies and without a password", async () => {
  const seeds = Object.values(callSeeds(seedIds({ app: "00000000-0000-4000-8000-000000000001" })));
  expect(seeds.length).toBeGreaterThan(50);
  for (const { method, path } of seeds) {
    const reply = await ask(path, "application/json", method);
    expect(await reply.json()).toEqual({ method, url: path, cookie: "session=mine" });
    expect(reply.headers.get("set-cookie")).toContain("session=new");
  }
});

test("pages that the server renders itself come from the server too", async () => {
  for (const path of [
    "/docs",
    "/help/reasons",
    "/demo/app",
    "/app-ads.txt",
    "/apps/x/stats.csv",
    "/apps/performance/stats.pdf",
    "/apps/x/instruction_iframe",
    "/login/google/return?code=1",
    "/profile/facebook",
  ])
    expect(await (await ask(path, PAGE)).json()).toMatchObject({ url: path });
});

test("pages and their sources come from the development host", async () => {
  for (const path of ["/", "/apps", "/apps/performance", "/profile", "/logout", "/ticket/abc", "/admin/users"])
    expect(await (await ask(path, PAGE)).text()).toContain("/src/");
  expect((await ask("/src/main.tsx", "*/*")).headers.get("content-type")).toContain("javascript");
});
