import { expect, test } from "vitest";
import { serveHttp } from "../testing/serve-http.ts";
import { answering, ask, clientWith, failureOf, later, post, serveRaw, trusted } from "./testing/ask-in-test.ts";

test("connection: close and HTTP/1.0 are obeyed", async () => {
  for (const head of ["HTTP/1.1 200 OK\r\nConnection: Close\r\n", "HTTP/1.0 200 OK\r\n"]) {
    const { url } = await answering(`${head}content-length: 2\r\n\r\nok`);
    const client = clientWith();
    const outcome = await ask(client, post(url));
    expect(outcome.ok && outcome.body).toBe("ok");
    expect(client.connections).toBe(0);
  }
});

/** Answers the first request of a connection, and hangs up on the second. */
const hangsUpOnSecond = () =>
  serveRaw((socket) => {
    let requests = 0;
    socket.on("data", () => {
      if (++requests === 1) socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
      else socket.destroy();
    });
  });

test("a call that met a dying connection is sent once more, where that is safe", async () => {
  const { url, sockets } = await hangsUpOnSecond();
  const client = clientWith();
  await ask(client, post(url));
  const outcome = await ask(client, post(url));
  expect(outcome.ok && outcome.body).toBe("ok");
  expect(sockets).toHaveLength(2);
});

test("a call that must not be repeated is not", async () => {
  const { url, sockets } = await hangsUpOnSecond();
  const client = clientWith();
  await ask(client, post(url));
  expect(failureOf(await ask(client, post(url), 1000, { retryStale: false }))).toBe("closed_early");
  expect(sockets).toHaveLength(1);
});

test("a fresh connection that hangs up is not tried again", async () => {
  const { url, sockets } = await serveRaw((socket) => {
    socket.on("data", () => socket.destroy());
  });
  expect(failureOf(await ask(clientWith(), post(url)))).toBe("closed_early");
  expect(sockets).toHaveLength(1);
});

test("calls above the limit of connections wait their turn, and no more of them than allowed", async () => {
  const url = await serveHttp((request, reply) => {
    request.resume();
    setTimeout(() => reply.end("ok"), 20);
  });
  const client = clientWith({ maxConnections: 2, maxWaiting: 4 });
  const outcomes = await client.sendAll(
    Array.from({ length: 8 }, () => trusted(post(url))),
    performance.now() + 1000,
    true,
  );
  expect(outcomes.map(failureOf)).toEqual([
    ...Array.from({ length: 6 }, () => "status 200"),
    "connection_failed",
    "connection_failed",
  ]);
  expect(client.connections).toBe(2);
});

test("idle connections are closed after their time, and before the peer's", async () => {
  const url = await serveHttp((request, reply) => {
    request.resume();
    reply.end("ok");
  });
  const patient = clientWith({ idleMs: 100 });
  await ask(patient, post(url));
  expect(patient.connections).toBe(1);
  await later(500);
  expect(patient.connections).toBe(0);

  const { url: hasty } = await answering("HTTP/1.1 200 OK\r\nKeep-Alive: timeout=1\r\ncontent-length: 2\r\n\r\nok");
  const client = clientWith();
  await ask(client, post(hasty));
  await later(400);
  expect(client.connections).toBe(0);
});
