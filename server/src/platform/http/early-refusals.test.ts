import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { gzipSync } from "node:zlib";
import { defineCall } from "@millrace/contract";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { silentLog } from "../log.ts";
import { someCaller } from "../testing/some-caller.ts";
import { buildServer } from "./build-server.ts";
import { Problem } from "./problem.ts";
import { rawScope, serveRaw } from "./serve-raw.ts";
import { serve } from "./serve.ts";

const call = (path: string, access: "subUsers.manage" | "public") =>
  defineCall({ method: "POST", path, summary: "Write", access, reply: z.object({ ok: z.literal(true) }) });

/** What `x-caller` may name. An ended session is removed. */
const callers = new Map([
  ["owner", someCaller()],
  ["guest", someCaller({ role: "GST" })],
]);
let app: FastifyInstance;
let port: number;
let handled = 0;

beforeAll(async () => {
  app = await buildServer({
    log: silentLog,
    trustedProxies: 0,
    authenticate: async ({ headers }) => callers.get(String(headers["x-caller"])) ?? null,
    callLimits: {
      async takeAddress({ headers }) {
        if (headers["x-limit"] === "address") throw new Problem("too_many", "Wait", { retryAfterSeconds: 9 });
      },
      async takeCaller() {},
      async takeChange() {},
    },
  });
  const answer = async () => {
    handled++;
    return { ok: true as const };
  };
  serve(app, call("/private", "subUsers.manage"), answer);
  serve(app, call("/public", "public"), answer);
  rawScope(app, { bodyLimit: 1000 }, (scope) =>
    serveRaw(scope, call("/raw", "public"), "any", async ({ body }, reply) => reply.send(body)),
  );
  await app.listen({ port: 0, host: "127.0.0.1" });
  ({ port } = app.server.address() as AddressInfo);
});
afterAll(() => app.close());

/** A connection that has sent the head of a request, and collects what comes back. */
function begin(path: string, headers: Record<string, string>) {
  const socket = connect(port, "127.0.0.1");
  const seen = { text: "" };
  socket.on("data", (data) => (seen.text += data.toString())).on("error", () => undefined);
  const lines = Object.entries({ host: "x", "content-type": "application/json", ...headers });
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`);
  return { socket, seen };
}

test.each<[string, string, Record<string, string>, number]>([
  ["without a session", "/private", {}, 401],
  ["with a role that has no access", "/private", { "x-caller": "guest" }, 403],
  ["that another site makes a browser send", "/public", { "sec-fetch-site": "cross-site" }, 403],
  ["of an address that sends too many", "/public", { "x-limit": "address" }, 429],
])("a call %s is refused before its body is read", async (_what, path, headers, status) => {
  const { socket, seen } = begin(path, { ...headers, "content-length": "250000" });
  await expect.poll(() => seen.text.split(" ")[1], { timeout: 5000 }).toBe(String(status));
  // What the client sends nevertheless does not hold up its next request.
  socket.write("[".repeat(250_000));
  const body = "{}";
  socket.write(
    `POST /public HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
  await expect.poll(() => seen.text, { timeout: 5000 }).toContain('{"ok":true}');
  socket.destroy();
});

test("a session that ends while its body arrives changes nothing", async () => {
  callers.set("leaving", someCaller());
  const before = handled;
  const { socket, seen } = begin("/private", { "x-caller": "leaving", "content-length": "2", connection: "close" });
  socket.write("{");
  await new Promise((resolve) => setTimeout(resolve, 200));
  callers.delete("leaving");
  socket.write("}");
  await once(socket, "close");
  expect([seen.text.split(" ")[1], handled]).toEqual(["401", before]);
});

test("a compressed body, which may unpack to a thousand times its size, is taken by raw calls alone", async () => {
  const send = (url: string, coding: string) =>
    app.inject({
      method: "POST",
      url,
      headers: { "x-caller": "owner", "content-type": "application/json", "content-encoding": coding },
      payload: coding === "identity" ? "{}" : gzipSync("{}"),
    });
  for (const url of ["/private", "/public"]) {
    expect((await send(url, "gzip")).statusCode).toBe(415);
    expect((await send(url, "identity")).statusCode).toBe(200);
  }
  expect((await send("/raw", "gzip")).body).toBe("{}");
});
