import type { RequestListener } from "node:http";
import { expect, onTestFinished, test, vi } from "vitest";
import { GuardedClient } from "../../../platform/outbound/guarded-get.ts";
import { freePort } from "../../../platform/http/free-port.ts";
import { serveHttp, serveHttps } from "../../../platform/testing/serve-http.ts";
import { isInRootDomain, readAppAds } from "./read-app-ads.ts";

const LINE = "ads.example.com, me, DIRECT\n";
const plain: RequestListener = (_, reply) => reply.writeHead(200, { "content-type": "text/plain" }).end(LINE);
const to =
  (location: string, status = 302): RequestListener =>
  (_, reply) =>
    reply.writeHead(status, { location }).end();

/** Reads the file of `localhost`, which these servers are. Other names of this machine are other root domains. */
function read(origins: string[], trusted = origins) {
  const client = new GuardedClient();
  onTestFinished(() => client.close());
  return readAppAds(client, { domain: "localhost", origins, trustedOrigins: new Set(trusted) });
}
/** A server as `localhost`. */
const serve = async (listener: RequestListener) => (await serveHttp(listener)).replace("127.0.0.1", "localhost");
const nobody = async () => `http://localhost:${await freePort("127.0.0.1")}`;

test("a file is read over HTTPS, and over HTTP only if no HTTPS connection can be made", async () => {
  vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
  onTestFinished(() => void vi.unstubAllEnvs());
  let asked = 0;
  const http = await serve((request, reply) => {
    asked++;
    plain(request, reply);
  });
  const { origin: https } = await serveHttps(plain);
  expect(await read([https, http])).toEqual({ url: `${https}/app-ads.txt`, problem: null, body: LINE });
  for (const status of [404, 503]) {
    const { origin } = await serveHttps((_, reply) => reply.writeHead(status).end());
    expect((await read([origin, http])).problem).toContain(String(status));
  }
  const gone = await nobody();
  const { origin: away } = await serveHttps(to(gone));
  expect((await read([away, http], [away, http, gone])).problem).toBe("No connection to the site can be made");
  expect(asked).toBe(0);
  const over = { url: `${http}/app-ads.txt`, problem: null, body: LINE };
  expect(await read([(await nobody()).replace("http:", "https:"), http])).toEqual(over);
  // A port that speaks another protocol.
  expect(await read([http.replace("http:", "https:"), http])).toEqual(over);
});

test("a certificate that nobody has signed is no HTTPS connection", async () => {
  const { origin } = await serveHttps(plain);
  const http = await serve(plain);
  expect(await read([origin, http])).toEqual({ url: `${http}/app-ads.txt`, problem: null, body: LINE });
});

test("of two failed connections, the first is reported", async () => {
  const [one, other] = [await nobody(), await nobody()];
  expect(await read([one, other])).toEqual({
    url: `${one}/app-ads.txt`,
    problem: "No connection to the site can be made",
    body: "",
  });
});

test("neither HTTPS nor HTTP, nor a redirect, reaches a private network", async () => {
  let asked = 0;
  const inside = await serve((request, reply) => {
    asked++;
    plain(request, reply);
  });
  const closed = "The address is in a private network";
  expect((await read([inside.replace("http:", "https:"), inside], [])).problem).toBe(closed);
  const outside = await serve(to(`${inside}/app-ads.txt`));
  expect((await read([outside])).problem).toBe(closed);
  expect((await read([await nobody(), inside], [])).problem).toBe(closed);
  expect(asked).toBe(0);
});

test.each([
  ["text/plain", null],
  ["Text/Plain;charset=utf-8", null],
  ["text/plain ; charset=ISO-8859-1", null],
  ["text/html; charset=utf-8", "The file is not of the type text/plain, so buyers do not read it"],
  ["text/plainly", "The file is not of the type text/plain, so buyers do not read it"],
  ["application/octet-stream", "The file is not of the type text/plain, so buyers do not read it"],
  [undefined, "The file is not of the type text/plain, so buyers do not read it"],
])("a file of the type %s is read by buyers, or not", async (type, problem) => {
  const site = await serve((_, reply) => {
    reply.writeHead(200, type === undefined ? {} : { "content-type": type }).end(LINE);
  });
  expect(await read([site])).toMatchObject({ problem, body: problem === null ? LINE : "" });
});

test.each([
  [206, null],
  [304, "The site answered 304"],
  [403, "The site has no file for buyers: it answered 403"],
  [404, "The site has no file for buyers: it answered 404"],
  [429, "The file cannot be read now: the site answered 429"],
  [500, "The file cannot be read now: the site answered 500"],
  [503, "The file cannot be read now: the site answered 503"],
])("what the status %i means is said", async (status, problem) => {
  const site = await serve((_, reply) => {
    reply.writeHead(status, { "content-type": "text/plain" }).end(status === 304 ? undefined : LINE);
  });
  expect((await read([site])).problem).toBe(problem);
});

/** Redirects `/app-ads.txt` this often to another address of its own, and then to `last`. */
function redirects(times: number, last: RequestListener): RequestListener {
  return (request, reply) => {
    const nth = Number(/\d+/.exec(request.url ?? "")?.[0] ?? 0);
    if (nth < times) to(`/${nth + 1}`, 301)(request, reply);
    else last(request, reply);
  };
}

test("redirects within the root domain are followed up to five times", async () => {
  expect((await read([await serve(redirects(5, plain))])).problem).toBeNull();
  expect((await read([await serve(redirects(6, plain))])).problem).toBe("The site redirects too often");
});

test("one redirect to another root domain is followed, and none from there", async () => {
  // The same machine by its number: another root domain than that of `localhost`.
  const keeper = await serveHttp(plain);
  const site = await serve(redirects(2, to(`${keeper}/app-ads.txt`)));
  expect((await read([site], [site, keeper])).problem).toBeNull();
  for (const next of ["/again", `${site}/app-ads.txt`]) {
    const other = await serveHttp(to(next));
    const first = await serve(to(`${other}/app-ads.txt`));
    expect((await read([first], [first, other, site])).problem).toBe(
      "The site redirects to another domain, which redirects again: buyers do not follow that",
    );
  }
});

test("a redirect to no web address and a file over 1 MiB are refused", async () => {
  expect((await read([await serve(to("javascript:alert(1)"))])).problem).toBe("The address cannot be fetched");
  const large = await serve((_, reply) => {
    reply.on("error", () => undefined);
    reply.writeHead(200, { "content-type": "text/plain" }).end("x".repeat(1024 * 1024 + 1));
  });
  expect((await read([large])).problem).toBe("The file is larger than 1 MiB");
});

test.each([
  ["studio.example", "studio.example", true],
  ["www.studio.example", "studio.example", true],
  ["studio.example", "www.studio.example", true],
  ["cdn.studio.example", "www.studio.example", true],
  ["studio.example", "games.studio.example", true],
  ["studio.example", "m.studio.example", true],
  ["mystudio.example", "studio.example", false],
  ["studio.example.evil.example", "studio.example", false],
  ["b.co.uk", "a.co.uk", false],
  ["example", "studio.example", false],
])("%s is in the root domain of %s: %s", (host, domain, isIn) => {
  expect(isInRootDomain(host, domain)).toBe(isIn);
});
