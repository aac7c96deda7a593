import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { silentLog } from "../log.ts";
import { buildServer } from "./build-server.ts";
import type { StuckTimes } from "./stuck-clients.ts";

const CHUNK = "x".repeat(64 * 1024);

/** A server with a reply that is more than the buffers of both sides take. */
async function serveLarge(stuckTimes: StuckTimes) {
  const app = await buildServer({ log: silentLog, trustedProxies: 0, authenticate: async () => null, stuckTimes });
  let open = 0;
  app.get("/large", async (_request, reply) => {
    let chunks = 0;
    const content = new Readable({
      read() {
        this.push(chunks++ < 320 ? CHUNK : null);
      },
    });
    open++;
    content.once("close", () => open--);
    return reply.send(content);
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = app.server.address() as AddressInfo;
  const ask = () => {
    const socket = connect(port, "127.0.0.1").pause();
    socket.on("error", () => undefined);
    socket.write("GET /large HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    return socket;
  };
  return { app, ask, open: () => open };
}

test("a client that takes nothing of its reply any more is let go, and one that reads slowly gets it all", async () => {
  const { app, ask, open } = await serveLarge({ stuckAfterMs: 1000, graceMs: 1000 });
  onTestFinished(() => app.close());
  const stuck = ask();
  await expect.poll(open).toBe(1);
  await expect.poll(open, { timeout: 10_000 }).toBe(0);
  stuck.destroy();

  const slow = ask();
  let bytes = 0;
  const closed = once(slow, "close");
  slow.on("data", (data) => {
    bytes += data.length;
    // Each wait is shorter than the time after which a connection counts as stuck; all of them are longer.
    slow.pause();
    void sleep(10).then(() => slow.resume());
  });
  slow.resume();
  await closed;
  expect(bytes).toBeGreaterThan(320 * CHUNK.length);
}, 60_000);

test("a server closes although a client does not take its reply", async () => {
  const { app, ask, open } = await serveLarge({ stuckAfterMs: 600_000, graceMs: 500 });
  const stuck = ask();
  await expect.poll(open).toBe(1);
  await app.close();
  await expect.poll(open).toBe(0);
  stuck.destroy();
});
