import { brotliCompressSync, deflateRawSync, deflateSync, gunzipSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { freePort } from "../http/free-port.ts";
import { serveHttp, serveHttps } from "../testing/serve-http.ts";
import { headersOf } from "./outcome.ts";
import { answering, ask, bodyOf, clientWith, failureOf, post, trusted } from "./testing/ask-in-test.ts";

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

test("only a partner that wants it is asked for compressed answers", async () => {
  const accepted: unknown[] = [];
  const url = await serveHttp((request, reply) => {
    accepted.push(request.headers["accept-encoding"]);
    request.resume();
    reply.writeHead(204).end();
  });
  // The same headers for both, as an adapter has them.
  const headers = { "content-type": "application/json" };
  for (const gzip of [false, true, false]) await ask(clientWith(), post(url, "{}", { headers, gzip }));
  expect(accepted).toEqual(["identity", "gzip, deflate, br", "identity"]);
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
        setTimeout(() => reply.end(String(index)), 100);
      }),
    ),
  );
  const client = clientWith();
  for (let round = 0; round < 3; round++) {
    const from = performance.now();
    const outcomes = await client.sendAll(
      urls.map((url) => trusted(post(url))),
      from + 3000,
      true,
    );
    expect(outcomes.map((outcome) => outcome.ok && outcome.body)).toEqual(urls.map((_, index) => String(index)));
    // One after the other they would take a second.
    expect(performance.now() - from).toBeLessThan(900);
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

test("a gzip body is inflated whole, whatever size it had and gets", async () => {
  // Below, at and above what is inflated at once; the last is small until it is inflated.
  for (const length of [0, 1, 32 * 1024, 32 * 1024 + 1, 200_000]) {
    const text = "a".repeat(length);
    const url = await serveHttp((request, reply) => {
      request.resume();
      reply.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(text));
    });
    const outcome = await ask(clientWith(), post(url));
    expect(outcome.ok && outcome.body.length).toBe(length);
  }
});

test("interim answers are read over", async () => {
  const { url } = await answering(
    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: a\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok",
  );
  const outcome = await ask(clientWith(), post(url));
  expect(outcome.ok && outcome.body).toBe("ok");
});

test("a refused connection, an unknown host and an unusable address fail at once", async () => {
  const url = `http://127.0.0.1:${await freePort("127.0.0.1")}`;
  const client = clientWith();
  expect(failureOf(await ask(client, post(url)))).toBe("connection_failed");
  expect(failureOf(await ask(client, post("http://nowhere.invalid/")))).toBe("connection_failed");
  expect(failureOf(await ask(client, post("ftp://127.0.0.1/")))).toBe("not_sendable");
  expect(failureOf(await ask(client, post("not an address")))).toBe("not_sendable");
  expect(failureOf(await ask(client, post(url, "{}", { headers: { "x-a": "1\r\nx-b: 2" } })))).toBe("not_sendable");
});

test("partners are asked over TLS, with the certificate checked", async () => {
  const { origin, certificate } = await serveHttps((request, reply) => {
    void bodyOf(request).then((body) => reply.end(body));
  });
  expect(failureOf(await ask(clientWith(), post(origin)))).toBe("connection_failed");
  const client = clientWith({ ca: certificate });
  for (const body of ["one", "two", "é".repeat(100_000)]) {
    const outcome = await ask(client, post(origin, body));
    expect(outcome.ok && outcome.body).toBe(body);
  }
  expect(client.connections).toBe(1);
});

test("an origin that nobody has vouched for is asked on the public internet alone", async () => {
  let asked = 0;
  const url = await serveHttp((_, reply) => {
    asked++;
    reply.end();
  });
  const { port } = new URL(url);
  const client = clientWith();
  for (const trustedOrigin of [null, "https://bidder.example"]) {
    const asStranger = (address: string) => ask(client, post(address), 1000, { trustedOrigin });
    for (const host of ["127.0.0.1", "127.1", "0x7f.1", "[::1]", "[::ffff:127.0.0.1]", "0"]) {
      expect(failureOf(await asStranger(`http://${host}:${port}/`))).toBe("not_sendable");
    }
    expect(failureOf(await asStranger(`http://localhost:${port}/`))).toBe("connection_failed");
  }
  expect(asked).toBe(0);
});

test("a private origin that one bidder is trusted at is closed to the others, also while its connections are open", async () => {
  let asked = 0;
  const url = await serveHttp((_, reply) => {
    asked++;
    reply.writeHead(204).end();
  });
  const local = url.replace("127.0.0.1", "localhost");
  const client = clientWith();
  for (let round = 0; round < 2; round++) {
    expect(await ask(client, post(url))).toMatchObject({ status: 204 });
    expect(await ask(client, post(local))).toMatchObject({ status: 204 });
    for (const trustedOrigin of [null, "http://127.0.0.2:80"]) {
      expect(failureOf(await ask(client, post(url), 1000, { trustedOrigin }))).toBe("not_sendable");
      expect(failureOf(await ask(client, post(local), 1000, { trustedOrigin }))).toBe("connection_failed");
    }
  }
  expect(asked).toBe(4);
});
