import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { IncomingMessage, RequestListener, Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { createServer as createTcpServer } from "node:net";
import type { AddressInfo, Server as TcpServer, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, deflateRawSync, deflateSync, gunzipSync, gzipSync } from "node:zlib";
import { afterEach, expect, test } from "vitest";
import { BidClient } from "./bid-client.ts";
import type { BidClientLimits } from "./bid-client.ts";
import { headersOf } from "./outcome.ts";
import type { CallOutcome } from "./outcome.ts";
import type { OutgoingCall } from "./outgoing-call.ts";

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

function clientWith(limits: Partial<BidClientLimits> = {}): BidClient {
  const client = new BidClient(limits);
  closers.push(() => client.close());
  return client;
}

async function listen(server: Server | TcpServer): Promise<string> {
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function serveHttp(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  closers.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return listen(server);
}

/** A server of raw bytes; `sockets` counts the connections it was offered. */
async function serveRaw(onSocket: (socket: Socket, nth: number) => void) {
  const sockets: Socket[] = [];
  const server = createTcpServer((socket) => {
    socket.on("error", () => {});
    sockets.push(socket);
    onSocket(socket, sockets.length);
  });
  closers.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return { url: await listen(server), sockets };
}

const post = (url: string, body = "{}", more: Partial<OutgoingCall> = {}): OutgoingCall => ({
  method: "POST",
  url,
  headers: { "content-type": "application/json" },
  body,
  gzip: false,
  ...more,
});

async function ask(client: BidClient, call: OutgoingCall, withinMs = 1000, retryStale = true): Promise<CallOutcome> {
  const outcomes = await client.sendAll([call], performance.now() + withinMs, retryStale);
  return outcomes[0] as CallOutcome;
}
const failureOf = (outcome: CallOutcome) => (outcome.ok ? `status ${outcome.status}` : outcome.failure);
const later = (ms: number) =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

/** Answers every request that came in one packet with these bytes. */
const answering = (wire: string | Buffer) =>
  serveRaw((socket) => {
    socket.on("data", () => socket.write(wire));
  });

test("a posted body arrives whole, in any script, and its answer comes back", async () => {
  const url = await serveHttp((request, reply) => {
    void bodyOf(request).then((body) => reply.end(`${request.method} ${request.url} ${body.toString()}`));
  });
  const client = clientWith();
  for (const body of ["{}", '{"a":"é"}', '{"a":"日本 🚗"}', "x".repeat(200_000)]) {
    const outcome = await ask(client, post(`${url}/bid?x=1`, body));
    expect(outcome.ok && outcome.body).toBe(`POST /bid?x=1 ${body}`);
  }
  expect(client.connections).toBe(1);
});

test("a body is sent gzipped where the partner wants it so", async () => {
  const url = await serveHttp((request, reply) => {
    expect(request.headers["content-encoding"]).toBe("gzip");
    void bodyOf(request).then((body) => reply.end(gunzipSync(body)));
  });
  const outcome = await ask(clientWith(), post(url, '{"a":"é"}', { gzip: true }));
  expect(outcome.ok && outcome.body).toBe('{"a":"é"}');
});

test("calls to many partners run at the same time over kept connections", async () => {
  const urls = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      serveHttp((request, reply) => {
        request.resume();
        setTimeout(() => reply.end(String(index)), 30);
      }),
    ),
  );
  const client = clientWith();
  for (let round = 0; round < 3; round++) {
    const from = performance.now();
    const outcomes = await client.sendAll(
      urls.map((url) => post(url)),
      from + 1000,
      true,
    );
    expect(outcomes.map((outcome) => outcome.ok && outcome.body)).toEqual(urls.map((_, index) => String(index)));
    expect(performance.now() - from).toBeLessThan(200);
    expect(client.connections).toBe(10);
  }
});

test("status and headers are handed on", async () => {
  const url = await serveHttp((request, reply) => {
    request.resume();
    reply.writeHead(503, { "X-Reason": "tired" }).end("later");
  });
  const outcome = await ask(clientWith(), post(url));
  expect(outcome).toMatchObject({ ok: true, status: 503, body: "later" });
  expect(outcome.ok && headersOf(outcome.head)["x-reason"]).toBe("tired");
});

test("a 204 is an answer without a body, and its connection is used again", async () => {
  const url = await serveHttp((request, reply) => {
    request.resume();
    reply.writeHead(204).end();
  });
  const client = clientWith();
  for (let round = 0; round < 3; round++) expect(await ask(client, post(url))).toMatchObject({ status: 204, body: "" });
  expect(client.connections).toBe(1);
});

test.each([
  ["gzip", gzipSync],
  ["br", brotliCompressSync],
  ["deflate", deflateSync],
  ["deflate", deflateRawSync],
] as const)("a %s body is inflated", async (encoding, compress) => {
  const text = JSON.stringify({ text: "日本 ".repeat(1000) });
  const url = await serveHttp((request, reply) => {
    request.resume();
    reply.writeHead(200, { "content-encoding": encoding }).end(compress(text));
  });
  const outcome = await ask(clientWith(), post(url));
  expect(outcome.ok && outcome.body).toBe(text);
});

test("a gzip bomb is stopped at the limit and costs the others nothing", async () => {
  const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024), { level: 9 });
  const bombed = await serveHttp((request, reply) => {
    request.resume();
    reply.writeHead(200, { "content-encoding": "gzip" }).end(bomb);
  });
  const honest = await serveHttp((request, reply) => {
    request.resume();
    reply.end("fine");
  });
  const before = process.memoryUsage().rss;
  const outcomes = await clientWith().sendAll([post(bombed), post(honest)], performance.now() + 1000, true);
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

test("silent and slowly dripping partners end with the deadline; nothing is left behind", async () => {
  const silent = await serveRaw(() => {});
  const drip = await serveRaw((socket) => {
    socket.write("HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n");
    const timer = setInterval(() => socket.write("x"), 10);
    socket.on("close", () => clearInterval(timer));
  });
  const client = clientWith({ drainMs: 100 });
  const from = performance.now();
  const outcomes = await client.sendAll([post(silent.url), post(drip.url), post(silent.url)], from + 80, true);
  expect(outcomes.map(failureOf)).toEqual(["timeout", "timeout", "timeout"]);
  expect(performance.now() - from).toBeLessThan(120);
  await later(600);
  expect(client.connections).toBe(0);
});

test("no more sockets wait for late answers than allowed", async () => {
  const silent = await serveRaw(() => {});
  const client = clientWith({ maxDraining: 2 });
  await client.sendAll(
    Array.from({ length: 10 }, () => post(silent.url)),
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
  const calls = Array.from({ length: 20 }, () => post(silent.url));
  await client.sendAll(calls, performance.now() + 80, true);
  expect(client.connections).toBe(20);
  await expect.poll(() => client.connections).toBe(0);
});

test("a partner that is merely late keeps its connection", async () => {
  let connections = 0;
  const server = createServer((request, reply) => {
    request.resume();
    setTimeout(() => reply.end("late"), 120);
  });
  server.on("connection", () => connections++);
  closers.push(() => server.close());
  const url = await listen(server);
  const client = clientWith();
  for (let round = 0; round < 3; round++) {
    expect(failureOf(await ask(client, post(url), 50))).toBe("timeout");
    await later(150);
  }
  const outcome = await ask(client, post(url), 1000);
  expect(outcome.ok && outcome.body).toBe("late");
  expect(connections).toBe(1);
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

test("interim answers are read over", async () => {
  const { url } = await answering(
    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: a\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok",
  );
  const outcome = await ask(clientWith(), post(url));
  expect(outcome.ok && outcome.body).toBe("ok");
});

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
  expect(failureOf(await ask(client, post(url), 1000, false))).toBe("closed_early");
  expect(sockets).toHaveLength(1);
});

test("a fresh connection that hangs up is not tried again", async () => {
  const { url, sockets } = await serveRaw((socket) => {
    socket.on("data", () => socket.destroy());
  });
  expect(failureOf(await ask(clientWith(), post(url)))).toBe("closed_early");
  expect(sockets).toHaveLength(1);
});

test("a refused connection, an unknown host and an unusable address fail at once", async () => {
  const server = createTcpServer();
  const url = await listen(server);
  await new Promise((resolve) => {
    server.close(resolve);
  });
  const client = clientWith();
  expect(failureOf(await ask(client, post(url)))).toBe("connection_failed");
  expect(failureOf(await ask(client, post("http://nowhere.invalid/")))).toBe("connection_failed");
  expect(failureOf(await ask(client, post("ftp://127.0.0.1/")))).toBe("not_sendable");
  expect(failureOf(await ask(client, post("not an address")))).toBe("not_sendable");
  expect(failureOf(await ask(client, post(url, "{}", { headers: { "x-a": "1\r\nx-b: 2" } })))).toBe("not_sendable");
});

test("calls above the limit of connections wait their turn, and no more of them than allowed", async () => {
  const url = await serveHttp((request, reply) => {
    request.resume();
    setTimeout(() => reply.end("ok"), 20);
  });
  const client = clientWith({ maxConnections: 2, maxWaiting: 4 });
  const outcomes = await client.sendAll(
    Array.from({ length: 8 }, () => post(url)),
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

test("partners are asked over TLS, with the certificate checked", async () => {
  const dir = mkdtempSync(join(tmpdir(), "bid-client-"));
  closers.push(() => rmSync(dir, { recursive: true }));
  const [key, cert] = [join(dir, "key.pem"), join(dir, "cert.pem")];
  execFileSync(
    "openssl",
    [
      "req",
      "-x509",
      "-newkey",
      "ec",
      "-pkeyopt",
      "ec_paramgen_curve:prime256v1",
      "-nodes",
      "-days",
      "2",
      "-subj",
      "/CN=localhost",
    ].concat(["-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", cert]),
    { stdio: "ignore" },
  );
  const server = createTlsServer({ key: readFileSync(key), cert: readFileSync(cert) }, (request, reply) => {
    void bodyOf(request).then((body) => reply.end(body));
  });
  closers.push(() => {
    server.close();
    server.closeAllConnections();
  });
  await listen(server);
  const url = `https://localhost:${(server.address() as AddressInfo).port}/`;
  expect(failureOf(await ask(clientWith(), post(url)))).toBe("connection_failed");
  const client = clientWith({ ca: readFileSync(cert, "utf8") });
  for (const body of ["one", "two", "é".repeat(100_000)]) {
    const outcome = await ask(client, post(url, body));
    expect(outcome.ok && outcome.body).toBe(body);
  }
  expect(client.connections).toBe(1);
});
