import { mkdtemp, rm } from "node:fs/promises";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { FastifyInstance, InjectOptions } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type DemoMailbox, demoMailboxOf, demoMailboxRoutes } from "./demo-mailbox.ts";
import { buildServer } from "./platform/http/build-server.ts";
import type { Caller } from "./platform/http/serve.ts";
import { silentLog } from "./platform/log.ts";
import { composeMail, openMailer, readMailbox } from "./platform/mail/index.ts";
import { someCaller } from "./platform/testing/some-caller.ts";

const admin = someCaller({ role: "admin" });
/** Of a platform that people use at this machine's own address. */
const ownMailbox = (mailDir: string): DemoMailbox =>
  demoMailboxOf(mailDir, { publicUrl: "http://127.0.0.1:8080", trustedProxies: 0 });
let caller: Caller | null = null;
let dir: string;
let app: FastifyInstance;
let id: string;

async function serverWith(mailbox: DemoMailbox | undefined): Promise<FastifyInstance> {
  const server = await buildServer({
    log: silentLog,
    trustedProxies: 1,
    trustLoopback: true,
    authenticate: async () => caller,
  });
  demoMailboxRoutes(server, mailbox);
  return server;
}

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "demo-mailbox-"));
  app = await serverWith(ownMailbox(dir));
  const mailer = await openMailer({ smtpUrl: undefined, from: "ads@example.com", dir, log: silentLog });
  const button = { label: "Set a new password", url: "https://ads.example.com/ticket/1-2" };
  const body = composeMail({ title: "Hello", lines: ["<script>alert(1)</script>"], button, footer: "Bye." });
  await mailer.send({ ...body, to: "first@example.com", subject: "The first" });
  await mailer.send({ ...body, to: "ada@example.com", subject: '<script>alert("2")</script>' });
  id = (await readMailbox(dir))[0]?.id ?? "";
});
afterAll(async () => {
  await app.close();
  await rm(dir, { recursive: true });
});

const get = async (url: string, more: InjectOptions = {}) => {
  const { headers, ...rest } = more;
  return app.inject({ url, ...rest, headers: { host: "localhost:8080", ...headers } });
};

test("on this machine the mails are listed, newest first, each with its page", async () => {
  const list = await get("/demo/mail");
  expect(list.statusCode).toBe(200);
  expect(list.headers["content-type"]).toBe("text/html; charset=utf-8");
  expect(list.body.indexOf("ada@example.com")).toBeLessThan(list.body.indexOf("first@example.com"));
  const [, first] = /href="(\/demo\/mail\/[^"]+)"/.exec(list.body) ?? [];
  expect(first).toBe(`/demo/mail/${id}`);
  const mail = await get(first ?? "");
  expect(mail.statusCode).toBe(200);
  expect(mail.body).toContain("https://ads.example.com/ticket/1-2");
});

test("nothing in a mail runs: texts are escaped, its HTML is framed without scripts, and the policy forbids the rest", async () => {
  for (const url of ["/demo/mail", `/demo/mail/${id}`]) {
    const { body, headers } = await get(url);
    expect(body).not.toContain("<script");
    expect(body).toContain("&lt;script&gt;alert(&quot;2&quot;)&lt;/script&gt;");
    expect(headers["content-security-policy"]).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(headers).toMatchObject({ "referrer-policy": "no-referrer", "cache-control": "no-store" });
  }
  const { body } = await get(`/demo/mail/${id}`);
  expect(body).toContain(
    '<iframe title="The mail" sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="&lt;!doctype',
  );
});

test.each(["127.0.0.1", "127.8.9.1", "::1", "::ffff:127.0.0.1"])("%s is this machine", async (remoteAddress) => {
  expect((await get("/demo/mail", { remoteAddress })).statusCode).toBe(200);
});

const strangers: [string, InjectOptions][] = [
  ["another machine", { remoteAddress: "192.168.1.7" }],
  [
    "another machine that says it is this one",
    { remoteAddress: "192.168.1.7", headers: { "x-forwarded-for": "127.0.0.1" } },
  ],
  ["a proxy on this machine", { headers: { "x-forwarded-for": "203.0.113.9" } }],
  ["a proxy that says it forwards for this machine", { headers: { "x-forwarded-for": "127.0.0.1" } }],
  ["a proxy that tells the scheme only", { headers: { "x-forwarded-proto": "https" } }],
  ["a proxy by RFC 7239", { headers: { forwarded: "for=127.0.0.1" } }],
  ["a proxy by RFC 9110", { headers: { via: "1.1 proxy" } }],
  ["a proxy with headers of its own", { headers: { "x-real-ip": "127.0.0.1" } }],
  ["a delivery network", { headers: { "cf-connecting-ip": "127.0.0.1" } }],
  ["a network before the proxy", { headers: { "x-original-forwarded-for": "203.0.113.9" } }],
  ["another delivery network", { headers: { "fly-client-ip": "203.0.113.9" } }],
  ["a proxy without headers, by the public name", { headers: { host: "ads.example.com" } }],
  ["a site whose name points to this machine", { headers: { host: "localhost.example.com:8080" } }],
  ["a site whose name begins like this machine's", { headers: { host: "127.0.0.1.example.com" } }],
];
test.each(strangers)("%s finds nothing", async (_, more) => {
  for (const url of ["/demo/mail", `/demo/mail/${id}`]) {
    const { statusCode, body } = await get(url, more);
    expect([statusCode, body]).toEqual([404, '{"error":"There is nothing at this address"}']);
  }
});

test("a proxy that is set up with its address alone brings nobody in: it asks by this machine's name, in HTTP/1.0", async () => {
  await app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = app.server.address() as AddressInfo;
  const statusOf = async (version: string) => {
    const socket = connect(port, "127.0.0.1");
    socket.write(`GET /demo/mail HTTP/${version}\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`);
    return (await text(socket)).slice("HTTP/1.1 ".length, "HTTP/1.1 200".length);
  };
  expect([await statusOf("1.1"), await statusOf("1.0")]).toEqual(["200", "404"]);
});

test.each([
  { publicUrl: "https://ads.example.com", trustedProxies: 0 },
  { publicUrl: "http://192.168.1.7:8080", trustedProxies: 0 },
  { publicUrl: "http://127.0.0.1:8080", trustedProxies: 1 },
])("at %j others come through this machine, be their proxy as quiet as it may: admins alone read mails", async (at) => {
  const shared = await serverWith(demoMailboxOf(dir, at));
  const statusOf = async () =>
    (await shared.inject({ url: "/demo/mail", headers: { host: "127.0.0.1:8080" } })).statusCode;
  expect(await statusOf()).toBe(404);
  caller = admin;
  expect(await statusOf()).toBe(200);
  caller = null;
  await shared.close();
});

test.each([
  ["an admin from anywhere", {}, 200],
  ["an admin who owes a code", { mfaPending: true }, 404],
  ["an admin's token", { byToken: true }, 404],
  ["an owner", { role: "owner" }, 404],
] as const)("%s: %s %i", async (_, more, status) => {
  caller = { ...admin, ...more };
  try {
    expect((await get("/demo/mail", { remoteAddress: "192.168.1.7" })).statusCode).toBe(status);
    expect((await get(`/demo/mail/${id}`, { remoteAddress: "192.168.1.7" })).statusCode).toBe(status);
  } finally {
    caller = null;
  }
});

test.each(["nothing", "..%2f..%2fsecret", "20300102T030405678Z-0123456789abcdef", "a".repeat(65)])(
  "there is no mail %s",
  async (wrong) => {
    expect([400, 404]).toContain((await get(`/demo/mail/${wrong}`)).statusCode);
  },
);

test("where mails go out there is no mailbox, for nobody", async () => {
  const sending = await serverWith(undefined);
  caller = admin;
  for (const url of ["/demo/mail", `/demo/mail/${id}`]) {
    expect((await sending.inject({ url, headers: { host: "localhost" } })).statusCode).toBe(404);
  }
  caller = null;
  await sending.close();
});

test("an empty mailbox says so", async () => {
  const empty = await serverWith(ownMailbox(join(dir, "nowhere")));
  expect((await empty.inject({ url: "/demo/mail", headers: { host: "localhost" } })).body).toContain("no mails yet");
  await empty.close();
});
