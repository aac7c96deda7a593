import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { silentLog } from "../log.ts";
import { buildServer } from "./build-server.ts";
import { forwardingServer } from "./forward.ts";
import { MOST_WAITING } from "./in-turn.ts";

let app: FastifyInstance;
let port: number;
/** What `/file` has opened. */
let opened: Readable[];
/** Ends `/slow`. */
let finishSlow: () => void;
let slowBegan: Promise<void>;

beforeEach(async () => {
  opened = [];
  const slow = new Promise<void>((done) => (finishSlow = done));
  app = await buildServer({ log: silentLog, trustedProxies: 0, authenticate: async () => null });
  slowBegan = new Promise((began) => {
    app.get("/slow", async () => {
      began();
      await slow;
      return "slow";
    });
  });
  app.get("/file", async (_request, reply) => {
    const content = new Readable({ read() {} });
    content.push("begin");
    opened.push(content);
    return reply.send(content);
  });
  app.post("/echo", async ({ body }) => ({ body }));
  await app.listen({ port: 0, host: "127.0.0.1" });
  ({ port } = app.server.address() as AddressInfo);
  onTestFinished(async () => {
    finishSlow();
    await app.close();
  });
});

const get = (path: string, more = "") => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
const post = (body: string, more = "") =>
  `POST /echo HTTP/1.1\r\nHost: x\r\n${more}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

test("nothing stays open of requests that wait for an answer before them when their connection goes away", async () => {
  const socket = connect(port, "127.0.0.1");
  socket.write(get("/slow") + get("/file").repeat(20));
  await slowBegan;
  const gone = once(socket, "close");
  socket.destroy();
  await gone;
  finishSlow();
  // One that comes later is answered after them.
  await fetch(`http://127.0.0.1:${port}/slow`);
  await expect.poll(() => opened.filter(({ destroyed }) => !destroyed).length).toBe(0);
});

test("requests of one connection are answered in their order, each with its own body", async () => {
  const socket = connect(port, "127.0.0.1");
  socket.write(get("/slow") + post('"one"') + post(JSON.stringify("x".repeat(30_000))) + get("/nowhere"));
  socket.write(post('"last"', "Connection: close\r\n"));
  await slowBegan;
  finishSlow();
  let answer = "";
  for await (const chunk of socket) answer += String(chunk);
  const parts = answer.match(/HTTP\/1.1 \d+|slow|"(one|x+|last)"/g)?.map((part) => part.slice(0, 12));
  expect(parts).toEqual([
    "HTTP/1.1 200",
    "slow",
    "HTTP/1.1 200",
    '"one"',
    "HTTP/1.1 200",
    `"${"x".repeat(11)}`,
    "HTTP/1.1 404",
    "HTTP/1.1 200",
    '"last"',
  ]);
});

test("a connection on which more requests wait than any client sends is closed", async () => {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  const closed = once(socket, "close");
  socket.write(get("/slow") + get("/file").repeat(MOST_WAITING + 1));
  await closed;
  expect(opened).toEqual([]);
});

test("a forwarded request reaches the dashboard once those before it on its connection are answered", async () => {
  const dir = mkdtempSync(join(tmpdir(), "in-turn-"));
  const reached: string[] = [];
  const dashboard = createServer(({ url }) => void reached.push(url ?? ""));
  const front = forwardingServer({ socket: join(dir, "s"), trustedProxies: 0 }, {}).factory(() => undefined);
  onTestFinished(() => {
    for (const server of [front, dashboard]) {
      server.close();
      server.closeAllConnections();
    }
    rmSync(dir, { recursive: true });
  });
  await once(dashboard.listen(join(dir, "s")), "listening");
  await once(front.listen(0, "127.0.0.1"), "listening");
  const socket = connect((front.address() as AddressInfo).port, "127.0.0.1");
  socket.write(get("/one") + get("/two"));
  await expect.poll(() => reached).toEqual(["/one"]);
  socket.destroy();
  // Node tells the dashboard that the first one is gone; the second one was never forwarded.
  await expect
    .poll(() => new Promise<number>((done) => void dashboard.getConnections((_, count) => done(count))))
    .toBe(0);
  expect(reached).toEqual(["/one"]);
});
