import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test, vi } from "vitest";
import { serveHttp, serveHttps } from "../testing/serve-http.ts";
import { GuardedClient } from "./guarded-get.ts";
import { isPublicAddress } from "./public-address.ts";

function clientForTest(): GuardedClient {
  const client = new GuardedClient();
  onTestFinished(() => client.close());
  return client;
}

function ask(url: string, trusted: string[] = [], timeoutMs = 1000) {
  return clientForTest().get(url, { timeoutMs, maxBytes: 1000, maxRedirects: 3, trustedOrigins: new Set(trusted) });
}

test("only addresses of the public internet are public", () => {
  const closed = [
    "127.0.0.1",
    "10.1.2.3",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
  ];
  const odd = ["0.0.0.0", "255.255.255.255", "224.0.0.1", "198.18.0.1", "::", "::1", "fe80::1", "fc00::1", "ff02::1"];
  const disguised = [
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
    "::127.0.0.1",
    "2001:db8::1",
    "name",
  ];
  for (const address of [...closed, ...odd, ...disguised])
    expect([address, isPublicAddress(address)]).toEqual([address, false]);
  for (const address of ["8.8.8.8", "172.32.0.1", "::ffff:8.8.8.8", "2a00:1450:4001:81b::200e"]) {
    expect([address, isPublicAddress(address)]).toEqual([address, true]);
  }
});

test("our own network cannot be reached, however its address is written", async () => {
  let asked = 0;
  const url = await serveHttp((_, reply) => {
    asked++;
    reply.end();
  });
  const { port } = new URL(url);
  for (const host of ["127.0.0.1", "localhost", "127.1", "0x7f.1", "2130706433", "[::1]", "[::ffff:127.0.0.1]", "0"]) {
    expect(await ask(`http://${host}:${port}/`)).toEqual({ ok: false, reason: "closed_address" });
  }
  expect(asked).toBe(0);
});

test("an origin configured by the operator is reached in any network", async () => {
  const url = await serveHttp((_, reply) => reply.writeHead(204).end());
  expect(await ask(`${url}/notice`, [url])).toEqual({ ok: true, status: 204 });
  expect(await ask(`${url.replace("127.0.0.1", "localhost")}/`, [url])).toEqual({
    ok: false,
    reason: "closed_address",
  });
});

test("a redirect cannot reach more than an address", async () => {
  let secret = 0;
  const inside = await serveHttp((_, reply) => {
    secret++;
    reply.end("secret");
  });
  const outside = await serveHttp((request, reply) => {
    const to = request.url === "/in" ? inside : request.url === "/loop" ? "/loop" : "javascript:alert(1)";
    reply.writeHead(302, { location: to }).end();
  });
  expect(await ask(`${outside}/in`, [outside])).toEqual({ ok: false, reason: "closed_address" });
  expect(await ask(`${outside}/loop`, [outside])).toEqual({ ok: false, reason: "too_many_redirects" });
  expect(await ask(`${outside}/script`, [outside])).toEqual({ ok: false, reason: "bad_address" });
  expect(secret).toBe(0);
});

test("silent and endless replies are cut off", async () => {
  const silent = await serveHttp(() => {});
  expect(await ask(silent, [silent], 100)).toEqual({ ok: false, reason: "timeout" });
  const endless = await serveHttp((_, reply) => {
    reply.on("error", () => {});
    const pour = () => {
      while (!reply.destroyed && reply.write("x".repeat(65_536)));
    };
    reply.on("drain", pour);
    pour();
  });
  expect(await ask(endless, [endless])).toMatchObject({ ok: true });
  const drip = await serveHttp((_, reply) => {
    const timer = setInterval(() => reply.write("x"), 20);
    reply.on("close", () => clearInterval(timer));
  });
  expect(await ask(drip, [drip], 200)).toEqual({ ok: false, reason: "timeout" });
});

test("an answer that changes the protocol is no answer, and its call ends", async () => {
  const url = await serveHttp(({ socket }) => {
    socket.write("HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n");
  });
  const options = { timeoutMs: 1000, maxBytes: 1000, trustedOrigins: new Set([url]) };
  const client = clientForTest();
  const failed = { ok: false, reason: "failed" };
  expect(await client.get(url, { ...options, maxRedirects: 0 })).toEqual(failed);
  expect(await client.read(url, { ...options, maxRedirects: 0 })).toEqual(failed);
  expect(await client.post(url, options, { body: "{}", headers: {} })).toEqual(failed);
});

test("an address that is not a web address is not fetched", async () => {
  for (const url of ["", "file:///etc/passwd", "gopher://x", "http://", "//x", "nonsense"]) {
    expect(await ask(url)).toEqual({ ok: false, reason: "bad_address" });
  }
});

test("a reply is read completely with the requested headers, or not at all", async () => {
  const url = await serveHttp((request, reply) => {
    if (request.url === "/huge") return reply.end("x".repeat(1001));
    if (request.url === "/short")
      return reply.writeHead(200, { "content-length": "10" }).write("12345", () => reply.destroy());
    if (request.url === "/packed") return reply.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("x"));
    if (request.url === "/away") return reply.writeHead(302, { location: "/here" }).end("on its way");
    reply.end(`${request.url} in ${request.headers["accept-language"]}: ä`);
  });
  const client = clientForTest();
  const read = (path: string) =>
    client.read(`${url}${path}`, {
      timeoutMs: 1000,
      maxBytes: 1000,
      maxRedirects: 3,
      trustedOrigins: new Set([url]),
      headers: { "accept-language": "en" },
    });
  expect(await read("/away")).toEqual({ ok: true, status: 200, body: "/here in en: ä" });
  expect(await read("/huge")).toEqual({ ok: false, reason: "too_large" });
  expect(await read("/short")).toEqual({ ok: false, reason: "failed" });
  expect(await read("/packed")).toEqual({ ok: false, reason: "failed" });
  const closed = await clientForTest().read(url, {
    timeoutMs: 1000,
    maxBytes: 9,
    maxRedirects: 0,
    trustedOrigins: new Set(),
  });
  expect(closed).toEqual({ ok: false, reason: "closed_address" });
});

test("connections that are kept open to many addresses keep no call to another one waiting", async () => {
  const client = clientForTest();
  const answering = () => serveHttp((_, reply) => reply.writeHead(204).end());
  const origins = await Promise.all(Array.from({ length: 600 }, answering));
  const options = { timeoutMs: 1000, maxBytes: 1000, maxRedirects: 0, trustedOrigins: new Set(origins) };
  for (let from = 0; from < origins.length; from += 50) {
    const answers = await Promise.all(origins.slice(from, from + 50).map((origin) => client.get(origin, options)));
    expect([from, answers.filter(({ ok }) => !ok)]).toEqual([from, []]);
  }
});

test("one answer is read with its type and its redirect, and a failure says whether there was a connection", async () => {
  const url = await serveHttp((request, reply) => {
    if (request.url === "/silent") return;
    if (request.url === "/huge") return reply.end("x".repeat(1001));
    if (request.url === "/away") return reply.writeHead(301, { location: "/here" }).end("x".repeat(1001));
    reply.writeHead(200, { "content-type": "text/plain" }).end("ä");
  });
  const client = clientForTest();
  const readOnce = (path: string, timeoutMs = 1000) =>
    client.readOnce(path, { timeoutMs, maxBytes: 1000, trustedOrigins: new Set([url]) });
  const failed = (reason: string, isUnconnected: boolean) => ({ ok: false, reason, isUnconnected });
  const here = { ok: true, status: 200, location: undefined, contentType: "text/plain", body: "ä" };
  expect(await readOnce(`${url}/here`)).toEqual(here);
  expect(await readOnce(`${url}/away`)).toMatchObject({ ok: true, status: 301, location: `${url}/here`, body: null });
  expect(await readOnce(`${url}/huge`)).toEqual(failed("too_large", false));
  for (let nth = 0; nth < 2; nth++) {
    expect(await readOnce(`${url}/silent`, 200)).toEqual(failed("timeout", false));
    // The next one has a connection that was kept open.
    await readOnce(`${url}/here`);
  }
  expect(await readOnce("http://127.0.0.1/")).toEqual(failed("closed_address", true));
  expect(await readOnce(`${url.replace("http:", "https:")}/`)).toEqual(failed("closed_address", true));
  expect(await readOnce("nonsense")).toEqual(failed("bad_address", true));
});

test("a body is posted with its headers and length to public addresses alone, and no redirect gets it", async () => {
  const got: string[] = [];
  const url = await serveHttp((request, reply) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      const { "content-length": length, "x-kind": kind } = request.headers;
      got.push([request.method, request.url, kind, length, body].join(" "));
      if (request.url === "/away") reply.writeHead(308, { location: "/here" }).end();
      else reply.writeHead(202).end();
    });
  });
  const client = clientForTest();
  const post = (path: string, trusted: string[]) =>
    client.post(
      url + path,
      { timeoutMs: 1000, maxBytes: 1000, trustedOrigins: new Set(trusted) },
      { body: "sä", headers: { "x-kind": "test" } },
    );
  expect(await post("/here", [])).toEqual({ ok: false, reason: "closed_address" });
  expect(await post("/here", [url])).toEqual({ ok: true, status: 202 });
  expect(await post("/away", [url])).toEqual({ ok: false, reason: "too_many_redirects" });
  expect(got).toEqual(["POST /here test 3 sä", "POST /away test 3 sä"]);
});

test("a redirect to an address without a host is not followed", async () => {
  vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
  onTestFinished(() => void vi.unstubAllEnvs());
  const { origin } = await serveHttps((_, reply) => reply.writeHead(302, { location: "http:" }).end());
  expect(await ask(origin, [origin])).toEqual({ ok: true, status: 302 });
});
