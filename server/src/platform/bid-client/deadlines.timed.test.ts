import { expect, test } from "vitest";
import { serveHttp } from "../testing/serve-http.ts";
import { ask, clientWith, failureOf, later, post, serveRaw, trusted } from "./testing/ask-in-test.ts";

// A busy machine may be late once, and not three times.
test("silent and slowly dripping partners end with the deadline; nothing is left behind", { retry: 2 }, async () => {
  const silent = await serveRaw(() => {});
  const drip = await serveRaw((socket) => {
    socket.write("HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n");
    const timer = setInterval(() => socket.write("x"), 10);
    socket.on("close", () => clearInterval(timer));
  });
  const client = clientWith({ drainMs: 100 });
  const from = performance.now();
  const outcomes = await client.sendAll(
    [silent, drip, silent].map(({ url }) => trusted(post(url))),
    from + 80,
    true,
  );
  expect(outcomes.map(failureOf)).toEqual(["timeout", "timeout", "timeout"]);
  expect(performance.now() - from).toBeLessThan(120);
  await later(600);
  expect(client.connections).toBe(0);
});

test("no more sockets wait for late answers than allowed", async () => {
  const silent = await serveRaw(() => {});
  const client = clientWith({ maxDraining: 2 });
  await client.sendAll(
    Array.from({ length: 10 }, () => trusted(post(silent.url))),
    performance.now() + 50,
    true,
  );
  await later(0);
  await later(0);
  expect(client.connections).toBe(2);
});

test("callers whose time is up get their answers before any socket is closed", async () => {
  const silent = await serveRaw(() => {});
  const client = clientWith({ maxDraining: 0 });
  const calls = Array.from({ length: 20 }, () => trusted(post(silent.url)));
  await client.sendAll(calls, performance.now() + 80, true);
  expect(client.connections).toBe(20);
  await expect.poll(() => client.connections).toBe(0);
});

test("a partner that is merely late keeps its connection", async () => {
  const connections = new Set<unknown>();
  const url = await serveHttp((request, reply) => {
    connections.add(request.socket);
    request.resume();
    setTimeout(() => reply.end("late"), 120);
  });
  const client = clientWith();
  for (let round = 0; round < 3; round++) {
    expect(failureOf(await ask(client, post(url), 50))).toBe("timeout");
    await later(150);
  }
  const outcome = await ask(client, post(url), 1000);
  expect(outcome.ok && outcome.body).toBe("late");
  expect(connections.size).toBe(1);
});

test("a late answer is never taken for the next call's", async () => {
  let calls = 0;
  const url = await serveHttp((request, reply) => {
    request.resume();
    const nth = ++calls;
    setTimeout(() => reply.end(String(nth)), nth === 1 ? 100 : 0);
  });
  const client = clientWith();
  expect(failureOf(await ask(client, post(url), 30))).toBe("timeout");
  const outcome = await ask(client, post(url));
  expect(outcome.ok && outcome.body).toBe("2");
});
