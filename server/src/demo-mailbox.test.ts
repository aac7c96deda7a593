import { mkdtemp, rm } from "node:fs/promises";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { FastifyInstance, InjectOptions } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type DemoMailbox, demoMailboxRoutes, mailboxUrl } from "./demo-mailbox.ts";
import { buildServer } from "./platform/http/build-server.ts";
import type { Caller } from "./platform/http/caller.ts";
import { silentLog } from "./platform/log.ts";
import { composeMail, openMailer, readMailbox } from "./platform/mail/index.ts";
import { newToken } from "./platform/secrets/token.ts";
import { someCaller } from "./platform/testing/some-caller.ts";

const admin = someCaller({ role: "admin" });
const KEY = newToken();
let caller: Caller | null = null;
let dir: string;
let app: FastifyInstance;
let id: string;

async function serverWith(mailbox: DemoMailbox | undefined): Promise<FastifyInstance> {
  const server = await buildServer({ log: silentLog, trustedProxies: 0, authenticate: async () => caller });
  demoMailboxRoutes(server, mailbox);
  return server;
}

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "demo-mailbox-"));
  app = await serverWith({ dir, key: KEY });
  const mailer = await openMailer({ smtpUrl: undefined, from: "ads@example.com", dir, log: silentLog });
  const button = { label: "Set a new password", url: "https://ads.example.com/ticket/1-2" };
  const body = composeMail({ title: "Hello", lines: ["<script>alert(1)</script>"], button, footer: "Bye." });
  await mailer.send({ ...body, to: "first@example.com", subject: "The first" });
  const attachments = [{ name: "<b>statement</b>.pdf", content: Buffer.from("%PDF") }];
  await mailer.send({ ...body, to: "ada@example.com", subject: '<script>alert("2")</script>', attachments });
  id = (await readMailbox(dir))[0]?.id ?? "";
});
afterAll(async () => {
  await app.close();
  await rm(dir, { recursive: true });
});

/** As a browser that has opened the printed address. */
const get = (url: string) => app.inject({ url, cookies: { "millrace-mailbox": KEY } });
const asStranger = (url: string, more: InjectOptions = {}) => app.inject({ url, ...more });
const NOTHING = [404, '{"error":"There is nothing at this address"}'];

test("the printed address opens the mailbox in that browser and redirects to an address without the key", async () => {
  const printed = mailboxUrl("http://127.0.0.1:8080", { dir, key: KEY });
  const reply = await asStranger(printed.replace("http://127.0.0.1:8080", ""));
  expect([reply.statusCode, reply.headers.location]).toEqual([303, "/demo/mail"]);
  expect(reply.headers).toMatchObject({ "referrer-policy": "no-referrer", "cache-control": "no-store" });
  const [cookie] = reply.cookies;
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Lax", path: "/" });
  const list = await app.inject({ url: "/demo/mail", cookies: { [cookie?.name ?? ""]: cookie?.value ?? "" } });
  expect(list.statusCode).toBe(200);
});

test("mails are listed newest first, each with a page", async () => {
  const list = await get("/demo/mail");
  expect(list.statusCode).toBe(200);
  expect(list.headers["content-type"]).toBe("text/html; charset=utf-8");
  expect(list.body.indexOf("ada@example.com")).toBeLessThan(list.body.indexOf("first@example.com"));
  const [, first] = /href="(\/demo\/mail\/[^"]+)"/.exec(list.body) ?? [];
  expect(first).toBe(`/demo/mail/${id}`);
  const mail = await get(first ?? "");
  expect(mail.statusCode).toBe(200);
  expect(mail.body).toContain("https://ads.example.com/ticket/1-2");
  expect(mail.body).toContain("<dt>Attached</dt><dd>&lt;b&gt;statement&lt;/b&gt;.pdf</dd>");
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

const addresses = ["127.0.0.1", "::1", "::ffff:127.0.0.1", "192.168.1.7"];
test.each(addresses)("without the key a request from %s gets 404, whatever its headers", async (remoteAddress) => {
  const forged = [{}, { "x-forwarded-for": "127.0.0.1" }, { forwarded: "for=127.0.0.1" }, { host: "localhost:8080" }];
  for (const headers of forged) {
    for (const url of ["/demo/mail", `/demo/mail/${id}`]) {
      const { statusCode, body } = await asStranger(url, { remoteAddress, headers });
      expect([statusCode, body]).toEqual(NOTHING);
    }
  }
});

test("requests through a local proxy without headers do not open the mailbox", async () => {
  await app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = app.server.address() as AddressInfo;
  for (const version of ["1.0", "1.1"]) {
    const socket = connect(port, "127.0.0.1");
    socket.write(`GET /demo/mail HTTP/${version}\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 404 /);
  }
});

test.each([newToken(), "", KEY.slice(1), `${KEY}a`])("the key %j opens nothing", async (key) => {
  const reply = await asStranger(`/demo/mail?key=${key}`);
  expect([reply.statusCode, reply.body, reply.cookies]).toEqual([...NOTHING, []]);
  expect((await app.inject({ url: "/demo/mail", cookies: { "millrace-mailbox": key } })).statusCode).toBe(404);
});

test.each([
  ["an admin from anywhere", {}, 200],
  ["an admin who owes a code", { mfaPending: true }, 404],
  ["an admin's token", { byToken: true }, 404],
  ["an owner", { role: "owner" }, 404],
] as const)("%s: %s %i", async (_, more, status) => {
  caller = { ...admin, ...more };
  try {
    expect((await asStranger("/demo/mail", { remoteAddress: "192.168.1.7" })).statusCode).toBe(status);
    expect((await asStranger(`/demo/mail/${id}`, { remoteAddress: "192.168.1.7" })).statusCode).toBe(status);
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

test("there is no mailbox if mails are sent", async () => {
  const sending = await serverWith(undefined);
  caller = admin;
  for (const url of ["/demo/mail", `/demo/mail?key=${KEY}`, `/demo/mail/${id}`]) {
    expect((await sending.inject({ url })).statusCode).toBe(404);
  }
  caller = null;
  await sending.close();
});

test("an empty mailbox says so", async () => {
  const empty = await serverWith({ dir: join(dir, "nowhere"), key: KEY });
  expect((await empty.inject({ url: "/demo/mail", cookies: { "millrace-mailbox": KEY } })).body).toContain(
    "No mails yet",
  );
  await empty.close();
});
