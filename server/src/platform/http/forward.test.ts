import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as httpRequest,
  type RequestListener,
} from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { silentLog } from "../log.ts";
import { buildServer } from "./build-server.ts";

/** A process with one route of its own, in front of one that answers on a socket. */
async function inFrontOf(listener: RequestListener | undefined, trustedProxies: number): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "forward-"));
  onTestFinished(() => rm(dir, { recursive: true }));
  const socket = join(dir, "behind.sock");
  if (listener) {
    const behind = createServer(listener).listen(socket);
    await once(behind, "listening");
    onTestFinished(() => behind.close().closeAllConnections());
  }
  const app = await buildServer({ log: silentLog, trustedProxies, authenticate: async () => null, forwardTo: socket });
  app.get("/own/:id", async ({ ip }) => ({ ip }));
  await app.listen({ port: 0, host: "127.0.0.1" });
  onTestFinished(() => app.close());
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
}

/** Answers with the headers that it got, and with some for its own connection. */
const echo: RequestListener = (request, reply) => {
  reply.writeHead(201, { "content-type": "application/json", "keep-alive": "timeout=7", "x-kept": "yes" });
  reply.end(JSON.stringify(request.headers));
};

const CLAIMS = {
  "X-Forwarded-For": "203.0.113.7",
  "X-Forwarded-Host": "evil.example",
  "X-Forwarded-Proto": "https",
  Forwarded: "for=203.0.113.7;host=evil.example",
};

test("without proxies, nothing that a client says of its address, host or scheme is passed on", async () => {
  const address = await inFrontOf(echo, 0);
  const reply = await fetch(`${address}/elsewhere`, { headers: CLAIMS });
  const got = (await reply.json()) as IncomingHttpHeaders;
  expect(Object.entries(got).filter(([name]) => name.includes("forwarded"))).toEqual([
    ["x-forwarded-for", "127.0.0.1"],
  ]);
  expect(got.host).toBe(new URL(address).host);
});

test("behind proxies, what they say is passed on, followed by the address of the nearest one", async () => {
  const address = await inFrontOf(echo, 1);
  const got = (await (await fetch(`${address}/elsewhere`, { headers: CLAIMS })).json()) as IncomingHttpHeaders;
  expect(got).toMatchObject({
    "x-forwarded-for": "203.0.113.7, 127.0.0.1",
    "x-forwarded-host": "evil.example",
    "x-forwarded-proto": "https",
    forwarded: CLAIMS.Forwarded,
  });
});

test("a process answers its own routes, and passes on all others with their answers", async () => {
  const address = await inFrontOf(echo, 0);
  expect(await (await fetch(`${address}/own/7?x=1`)).json()).toEqual({ ip: "127.0.0.1" });
  const reply = await fetch(`${address}/other`, { method: "POST", body: "x" });
  expect([reply.status, reply.headers.get("x-kept")]).toEqual([201, "yes"]);
  // What is about one connection stays there.
  expect(reply.headers.get("keep-alive")).not.toBe("timeout=7");
});

test.each(["%ORIGIN%/own/7", "%ORIGIN%/own/7?x=1", "/%6Fwn/7"])(
  "a process knows its own route as %s, which every server has to accept",
  async (target) => {
    const address = await inFrontOf(echo, 0);
    const { hostname, port } = new URL(address);
    const request = httpRequest({ hostname, port, path: target.replace("%ORIGIN%", "http://ads.example.com") }).end();
    const [reply] = (await once(request, "response")) as [IncomingMessage];
    expect([reply.statusCode, await json(reply)]).toEqual([200, { ip: "127.0.0.1" }]);
  },
);

test("while the other process is away, its routes say so and when to try again", async () => {
  const address = await inFrontOf(undefined, 0);
  const reply = await fetch(`${address}/other`);
  expect([reply.status, reply.headers.get("retry-after"), await reply.json()]).toEqual([
    503,
    "2",
    { error: "The dashboard is starting; please try again" },
  ]);
  expect((await fetch(`${address}/own/7`)).status).toBe(200);
});
