import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { serveHttp } from "../testing/serve-http.ts";
import { answering, ask, clientWith, failureOf, later, post, serveRaw, trusted } from "./testing/ask-in-test.ts";

test.each([200, 20])("a gzip bomb of %i MB is stopped at the limit and costs the others nothing", async (megabytes) => {
  const bomb = gzipSync(Buffer.alloc(megabytes * 1024 * 1024), { level: 9 });
  const bombed = await serveHttp((request, reply) => {
    request.resume();
    reply.writeHead(200, { "content-encoding": "gzip" }).end(bomb);
  });
  const honest = await serveHttp((request, reply) => {
    request.resume();
    reply.end("fine");
  });
  const before = process.memoryUsage().rss;
  const outcomes = await clientWith().sendAll(
    [post(bombed), post(honest)].map(trusted),
    performance.now() + 1000,
    true,
  );
  expect(outcomes.map(failureOf)).toEqual(["too_large", "status 200"]);
  expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024);
});

test("a body that is not what its coding says is refused", async () => {
  const url = await serveHttp((request, reply) => {
    request.resume();
    reply.writeHead(200, { "content-encoding": request.url === "/zstd" ? "zstd" : "gzip" }).end("not gzip");
  });
  const client = clientWith();
  expect(failureOf(await ask(client, post(`${url}/gzip`)))).toBe("bad_encoding");
  expect(failureOf(await ask(client, post(`${url}/zstd`)))).toBe("bad_encoding");
});

test("a huge answer is cut off, announced or not", async () => {
  const url = await serveHttp((request, reply) => {
    request.resume();
    reply.on("error", () => {});
    if (request.url === "/announced") reply.setHeader("content-length", 10_000_000);
    const pour = () => {
      while (!reply.destroyed && reply.write("x".repeat(65_536)));
    };
    reply.on("drain", pour);
    pour();
  });
  const client = clientWith();
  expect(failureOf(await ask(client, post(`${url}/announced`)))).toBe("too_large");
  expect(failureOf(await ask(client, post(`${url}/endless`)))).toBe("too_large");
  expect(client.connections).toBe(0);
});

test("garbage, contradictions and early ends are told apart", async () => {
  const cases: [string, string][] = [
    ["hello there\r\n\r\n", "not_http"],
    ["\x16\x03\x01\x00", "not_http"],
    ["HTTP/1.1 200 OK\r\ncontent-length: 3\r\ncontent-length: 4\r\n\r\nabcd", "not_http"],
    ["HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nxyz\r\n", "not_http"],
    [`HTTP/1.1 200 OK\r\nx: ${"y".repeat(20_000)}`, "too_large"],
  ];
  for (const [wire, failure] of cases) {
    const client = clientWith();
    const { url } = await answering(wire);
    expect(failureOf(await ask(client, post(url)))).toBe(failure);
    expect(client.connections).toBe(0);
  }
  const { url } = await serveRaw((socket) => {
    socket.on("data", () => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf"));
  });
  expect(failureOf(await ask(clientWith(), post(url)))).toBe("closed_early");
});

test("a wrong length leaves no bytes for the next answer", async () => {
  const { url, sockets } = await answering("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nokHTTP/1.1 200 OK\r\n\r\n");
  const client = clientWith();
  for (let round = 0; round < 3; round++) {
    const outcome = await ask(client, post(url));
    expect(outcome.ok && outcome.body).toBe("ok");
    expect(client.connections).toBe(0);
  }
  expect(sockets).toHaveLength(3);
});

test("bytes on an idle connection end it", async () => {
  const { url, sockets } = await answering("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
  const client = clientWith();
  await ask(client, post(url));
  sockets[0]?.write("HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\npoison");
  await later(50);
  expect(client.connections).toBe(0);
  const outcome = await ask(client, post(url));
  expect(outcome.ok && outcome.body).toBe("ok");
});

test("a body without a length ends with the connection, and a half-closed peer is answered by closing", async () => {
  const { url } = await serveRaw((socket) => {
    socket.on("data", () => socket.end("HTTP/1.1 200 OK\r\n\r\nto the end"));
  });
  const client = clientWith();
  const outcome = await ask(client, post(url));
  expect(outcome.ok && outcome.body).toBe("to the end");
  await later(20);
  expect(client.connections).toBe(0);
});
