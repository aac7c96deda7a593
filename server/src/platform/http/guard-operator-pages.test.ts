import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { silentLog } from "../log.ts";
import { serveApiDocs } from "./api-docs.ts";
import { buildServer } from "./build-server.ts";
import { guardOperatorPages } from "./guard-operator-pages.ts";
import { serveHealth } from "./health.ts";

const TOKEN = "a-token-for-the-operator";

async function serverWith(token: string | undefined) {
  const app = await buildServer({ log: silentLog, trustedProxies: 0, authenticate: async () => null });
  guardOperatorPages(app, token);
  serveHealth(app, {}, new Registry());
  await serveApiDocs(app, {}, "http://127.0.0.1:8080");
  return app;
}

const PAGES = ["/metrics", "/readyz", "/docs", "/docs/json", "/docs/static/index.html"];

test("with a token configured, the operator's pages require it, however the address is written", async () => {
  const app = await serverWith(TOKEN);
  for (const url of [...PAGES, "/%6detrics", "/metrics?x=1"]) {
    for (const authorization of [undefined, "Bearer wrong", `Basic ${TOKEN}`, "Bearer ", `Bearer ${TOKEN}x`]) {
      const reply = await app.inject({ url, headers: authorization === undefined ? {} : { authorization } });
      expect([url, reply.statusCode, reply.headers["www-authenticate"]]).toEqual([url, 401, "Bearer"]);
    }
    expect((await app.inject({ url, headers: { authorization: `Bearer ${TOKEN}` } })).statusCode).toBeLessThan(400);
  }
  for (const url of ["/healthz", "/servez"]) expect((await app.inject({ url })).statusCode).toBe(200);
  await app.close();
});

test("without a token they are open", async () => {
  const app = await serverWith(undefined);
  for (const url of PAGES) expect((await app.inject({ url })).statusCode).toBeLessThan(400);
  await app.close();
});
