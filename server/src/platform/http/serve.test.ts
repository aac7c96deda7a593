import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { defineCall } from "@millrace/contract";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { silentLog } from "../log.ts";
import { someCaller } from "../testing/some-caller.ts";
import { buildServer } from "./build-server.ts";
import { Problem } from "./problem.ts";
import type { Caller } from "./caller.ts";
import { serve } from "./serve.ts";

const guest = someCaller({ role: "GST" });
const owner = someCaller();

const readThing = defineCall({
  method: "GET",
  path: "/things/{id}",
  summary: "Read",
  access: "subUsers.manage",
  params: z.object({ id: z.coerce.number().int() }),
  query: z.strictObject({ tag: z.union([z.string(), z.array(z.string())]).optional() }),
  reply: z.object({ id: z.int(), tag: z.unknown() }),
});
const writeThing = defineCall({
  method: "POST",
  path: "/things",
  summary: "Write",
  access: "public",
  body: z.strictObject({ name: z.string().min(2, "Too short"), age: z.int() }),
  reply: z.object({ ok: z.literal(true) }),
});
/** A signed-in user may send more than a stranger. */
const writeOwnThing = defineCall({ ...writeThing, path: "/own-things", access: "subUsers.manage" });
const dropThing = defineCall({
  method: "GET",
  path: "/drop",
  summary: "A GET that changes state",
  access: "public",
  reply: z.object({ ok: z.literal(true) }),
  changesState: true,
});
const breakThing = defineCall({ method: "GET", path: "/break", summary: "Fails", access: "public", reply: z.null() });
const leakThing = defineCall({
  method: "GET",
  path: "/leak",
  summary: "Answers more than it declares",
  access: "public",
  reply: z.object({ shown: z.string() }),
});

let app: FastifyInstance;
beforeAll(async () => {
  const callers: Record<string, Caller> = { guest, owner };
  app = await buildServer({
    log: silentLog,
    trustedProxies: 0,
    authenticate: async (request) => callers[String(request.headers["x-test-caller"])] ?? null,
  });
  serve(app, readThing, async ({ params, query }) => ({ id: params.id, tag: query.tag }));
  serve(app, writeThing, async () => ({ ok: true as const }));
  serve(app, writeOwnThing, async () => ({ ok: true as const }));
  serve(app, dropThing, async () => ({ ok: true as const }));
  serve(app, breakThing, async () => {
    throw new Error("the password of the database is hunter2");
  });
  const answer = { shown: "yes", password_hash: "secret" };
  serve(app, leakThing, async () => answer);
});
afterAll(() => app.close());

test("a call gets 401 without a session, 403 with the wrong role, and a reply with the right one", async () => {
  const statusFor = async (caller: string) =>
    (await app.inject({ url: "/things/7", headers: { "x-test-caller": caller } })).statusCode;
  expect(await statusFor("nobody")).toBe(401);
  expect(await statusFor("guest")).toBe(403);
  expect(await statusFor("owner")).toBe(200);
});

test("replies to signed-in users are not cached", async () => {
  const reply = await app.inject({ url: "/things/7", headers: { "x-test-caller": "owner" } });
  expect(reply.headers["cache-control"]).toBe("no-store");
  expect((await app.inject("/leak")).headers["cache-control"]).toBeUndefined();
});

test("a repeated query key is a list, and an unknown one is refused by its name", async () => {
  const headers = { "x-test-caller": "owner" };
  const twice = await app.inject({ url: "/things/7?tag=a&tag=b", headers });
  expect(twice.json()).toEqual({ id: 7, tag: ["a", "b"] });
  const unknown = await app.inject({ url: "/things/7?__proto__=x&colour=red", headers });
  expect(unknown.statusCode).toBe(400);
  expect(Object.keys(unknown.json().error).toSorted()).toEqual(["__proto__", "colour"]);
});

test("every invalid field of a body is named with its message", async () => {
  const reply = await app.inject({ method: "POST", url: "/things", payload: { name: "x", age: 1.5, admin: true } });
  expect(reply.statusCode).toBe(400);
  expect(Object.keys(reply.json().error).toSorted()).toEqual(["admin", "age", "name"]);
  expect(reply.json().error.name).toBe("Too short");
});

test("a body that is not JSON gets 400, and an empty body names the missing fields", async () => {
  const broken = await app.inject({
    method: "POST",
    url: "/things",
    headers: { "content-type": "application/json" },
    payload: "{",
  });
  expect(broken.statusCode).toBe(400);
  const empty = await app.inject({ method: "POST", url: "/things", payload: {} });
  expect(empty.statusCode).toBe(400);
  expect(empty.json().error).toHaveProperty("name", "This field is missing");
});

test("U+0000, which PostgreSQL cannot store, is refused anywhere, naming the field", async () => {
  const headers = { "x-test-caller": "owner" };
  const query = await app.inject({ url: "/things/7?tag=a&tag=%00", headers });
  expect([query.statusCode, Object.keys(query.json().error)]).toEqual([400, ["tag.1"]]);
  const body = await app.inject({ method: "POST", url: "/things", payload: { name: "a\0b", age: 1 } });
  expect([body.statusCode, Object.keys(body.json().error)]).toEqual([400, ["name"]]);
});

test("a lone surrogate, which PostgreSQL cannot store, is refused, naming the field", async () => {
  const headers = { "content-type": "application/json" };
  for (const half of ["\\ud800", "a\\udc00", "\\udc00\\ud800"]) {
    const payload = `{"name":"ab${half}","age":1}`;
    const reply = await app.inject({ method: "POST", url: "/things", headers, payload });
    expect([half, reply.statusCode, Object.keys(reply.json().error)]).toEqual([half, 400, ["name"]]);
  }
  const whole = await app.inject({
    method: "POST",
    url: "/things",
    headers,
    payload: '{"name":"ab\\ud83d\\ude00","age":1}',
  });
  expect(whole.statusCode).toBe(200);
});

test("a key that PostgreSQL cannot store is refused, naming the field that it is in", async () => {
  const headers = { "content-type": "application/json" };
  for (const [payload, field] of [
    ['{"name":"abc","age":1,"ids":{"a\\u0000":"b"}}', "ids"],
    ['{"name":"abc","age":1,"ids":[{"\\ud800":"b"}]}', "ids.0"],
    ['{"name":"abc","age":1,"\\u0000":"b"}', "body"],
  ]) {
    const reply = await app.inject({ method: "POST", url: "/things", headers, payload: payload ?? "" });
    expect([reply.statusCode, Object.keys(reply.json().error)]).toEqual([400, [field]]);
  }
});

test.each([
  ["at the top", '{"name":"abc","age":1,"__proto__":{"admin":true}}', "__proto__"],
  ["inside", '{"name":"abc","age":1,"tags":[{"__proto__":{"admin":true}}]}', "tags.0.__proto__"],
  ["a constructor", '{"name":"abc","age":1,"constructor":{"prototype":{"admin":true}}}', "constructor"],
])("a key that would change a prototype is refused: %s", async (_where, payload, field) => {
  const headers = { "content-type": "application/json" };
  const reply = await app.inject({ method: "POST", url: "/things", headers, payload });
  const { error } = reply.json<{ error: object }>();
  expect([reply.statusCode, Object.entries(error)]).toEqual([400, [[field, "This field is not known"]]]);
});

test("a deeply nested body gets 400", async () => {
  const headers = { "content-type": "application/json", "x-test-caller": "owner" };
  const payload = `{"name":${"[".repeat(200_000)}${"]".repeat(200_000)}}`;
  const reply = await app.inject({ method: "POST", url: "/own-things", headers, payload });
  expect([reply.statusCode, reply.body.includes("Is nested too deeply")]).toEqual([400, true]);
});

test.each([
  ["in a list", `[${"0,".repeat(130_000)}0]`, "body"],
  ["in lists of lists", `{"name":[${`[${"{},".repeat(999)}{}],`.repeat(100)}{}]}`, "name"],
  [
    "under many keys",
    JSON.stringify(Object.fromEntries(Array.from({ length: 30_000 }, (_, i) => [`k${i}`, i]))),
    "body",
  ],
])("a body of very many values gets 400: %s", async (_where, payload, field) => {
  const headers = { "content-type": "application/json", "x-test-caller": "owner" };
  const reply = await app.inject({ method: "POST", url: "/own-things", headers, payload });
  const { error } = reply.json<{ error: object }>();
  expect([reply.statusCode, Object.keys(error)[0]?.split(".")[0]]).toEqual([400, field]);
  expect(Object.values(error)).toEqual(["Has too many values"]);
});

test("an unexpected failure gets 500 without its cause", async () => {
  const reply = await app.inject("/break");
  expect(reply.statusCode).toBe(500);
  expect(reply.body).not.toContain("hunter2");
});

test("a reply carries the declared fields and no others", async () => {
  expect((await app.inject("/leak")).json()).toEqual({ shown: "yes" });
});

test.each([
  ["another site's page", { "sec-fetch-site": "cross-site" }, 403],
  ["another origin of the same site", { "sec-fetch-site": "same-site" }, 403],
  ["an old browser on another origin", { origin: "https://evil.test" }, 403],
  ["a link that somebody sent", { "sec-fetch-site": "none", accept: "text/html" }, 403],
  ["an image or a form, without a word on where it is", { accept: "image/*" }, 403],
  ["our own page", { "sec-fetch-site": "same-origin" }, 200],
  ["our own page in an old browser", { origin: "http://localhost:80", accept: "*/*" }, 200],
  ["a client that asks for JSON", { accept: "application/json" }, 200],
])("a state-changing GET from %s is %j: %i", async (_who, headers, status) => {
  const reply = await app.inject({ url: "/drop", headers: { host: "localhost:80", ...headers } });
  expect(reply.statusCode).toBe(status);
});

test("a device's call is open to an app's page on any origin", async () => {
  const devices = await buildServer({ log: silentLog, trustedProxies: 0, authenticate: async () => null });
  serve(devices, { ...dropThing, access: "device", method: "POST" }, async () => ({ ok: true as const }));
  const reply = await devices.inject({ method: "POST", url: "/drop", headers: { "sec-fetch-site": "cross-site" } });
  expect(reply.statusCode).toBe(200);
  await devices.close();
});

test("a Problem keeps its status and sends Retry-After", async () => {
  const slow = await buildServer({ log: silentLog, trustedProxies: 0, authenticate: async () => null });
  serve(slow, breakThing, async () => {
    throw new Problem("too_many", "Wait", { retryAfterSeconds: 9 });
  });
  const reply = await slow.inject("/break");
  expect([reply.statusCode, reply.headers["retry-after"]]).toEqual([429, "9"]);
  await slow.close();
});

test("a client that sends its request in drips is cut off", async () => {
  const server = await buildServer({ log: silentLog, trustedProxies: 0, authenticate: async () => null });
  await server.listen({ port: 0, host: "127.0.0.1" });
  const { port } = server.server.address() as AddressInfo;
  const began = performance.now();
  const socket = connect(port, "127.0.0.1").resume();
  socket.on("error", () => undefined);
  socket.write("POST /login.json HTTP/1.1\r\nHost: x\r\n");
  const drips = setInterval(() => socket.write("X-A: b\r\n"), 1000);
  await once(socket, "close");
  clearInterval(drips);
  expect(performance.now() - began).toBeLessThan(25_000);
  await server.close();
}, 40_000);

test("X-Forwarded-For is trusted for the configured number of proxies only", async () => {
  const addressBehind = async (trustedProxies: number) => {
    const server = await buildServer({ log: silentLog, trustedProxies, authenticate: async () => null });
    server.get("/ip", async (request) => request.ip);
    const reply = await server.inject({ url: "/ip", headers: { "x-forwarded-for": "203.0.113.9, 198.51.100.7" } });
    await server.close();
    return reply.body;
  };
  expect(await addressBehind(0)).toBe("127.0.0.1");
  expect(await addressBehind(1)).toBe("198.51.100.7");
  expect(await addressBehind(2)).toBe("203.0.113.9");
});

test("an address that cannot be read is refused like any other mistake", async () => {
  const reply = await app.inject({ method: "GET", url: "/things/%zz" });
  expect([reply.statusCode, Object.keys(reply.json<object>())]).toEqual([400, ["error"]]);
});

test.each([
  ["compressed, and of a type that no parser takes", { "content-encoding": "br", "content-type": "text/csv" }],
  ["not the brotli that it claims to be", { "content-encoding": "br", "content-type": "application/json" }],
  ["of a type that no parser takes", { "content-type": "text/csv" }],
])("after a long body that is %s, the next request of the connection is answered", async (_, headers) => {
  const server = await buildServer({ log: silentLog, trustedProxies: 0, authenticate: async () => null });
  serve(server, writeThing, async () => ({ ok: true as const }));
  await server.listen({ port: 0, host: "127.0.0.1" });
  const { port } = server.server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const statusOf = async (body: string, more: Record<string, string>): Promise<number | undefined> => {
    const sent = request({ port, agent, method: "POST", path: "/things", headers: more, timeout: 5000 });
    sent.on("timeout", () => sent.destroy(new Error("no answer")));
    sent.end(body);
    const [reply] = (await once(sent, "response")) as [IncomingMessage];
    await once(reply.resume(), "end");
    return reply.statusCode;
  };
  const fine = JSON.stringify({ name: "Thing", age: 1 });
  for (let turn = 0; turn < 3; turn++) {
    expect(await statusOf("x".repeat(250_000), headers)).toBeGreaterThanOrEqual(400);
    expect(await statusOf(fine, { "content-type": "application/json" })).toBe(200);
  }
  agent.destroy();
  await server.close();
});
