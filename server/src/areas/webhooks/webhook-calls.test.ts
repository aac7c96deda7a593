import { type RevenueWebhook, TEXTS } from "@millrace/contract";
import { expect, test } from "vitest";
import { serveHttp } from "../../platform/testing/serve-http.ts";
import { testStores } from "../../platform/testing/stores.ts";
import { newAccount } from "../apps/testing/apps-server.ts";
import { keep } from "../statistics/testing/some-rows.ts";
import { documentedVerifier, startReceiver, startWebhooks, storedAt } from "./testing/webhooks-world.ts";

const stores = await testStores();
const { pool } = stores.pg;
const SOON = { timeout: 30_000, interval: 50 };
const NONE = {
  url: null,
  revision: expect.any(String),
  delivered: 0,
  given_up: 0,
  waiting: 0,
  waiting_since: null,
  last_delivered_at: null,
  last_failure: null,
};

test("the address is set, replaced and removed by the app's owner, and the log has the acts without it", async () => {
  const { app, at, owner, path, save, state } = await startWebhooks(stores, { demo: false });
  const stranger = await newAccount(stores, "Stranger");
  expect(await state()).toEqual(NONE);
  // 192.0.2.1 answers nobody; only its form is checked here.
  const url = "https://game.example/revenue?key=secret";
  expect(await save(url)).toEqual({ status: 200, body: { ...NONE, url } });
  expect(await save(url)).toMatchObject({ status: 200 });
  expect(await save("https://game.example/other")).toMatchObject({ body: { url: "https://game.example/other" } });
  expect(await at.get(stranger, `${path()}.json`)).toMatchObject({ status: 404 });
  expect(await at.send("PUT", stranger, path(), { url })).toMatchObject({ status: 404 });
  expect(await at.send("POST", stranger, `${path()}/test`, {})).toMatchObject({ status: 404 });
  expect(await at.remove(stranger, path())).toMatchObject({ status: 404 });
  expect(await state()).toMatchObject({ url: "https://game.example/other" });
  expect(await at.remove(owner, path())).toEqual({ status: 200, body: NONE });
  expect(await at.remove(owner, path())).toEqual({ status: 200, body: NONE });
  expect(await state()).toEqual(NONE);
  const log = await pool.query("SELECT action, details FROM audit_log WHERE subject = $1 ORDER BY at, id", [app.uuid]);
  expect(log.rows).toEqual(
    ["app_webhook_set", "app_webhook_set", "app_webhook_removed"].map((action) => ({ action, details: {} })),
  );
});

test("an old form neither replaces nor removes an address that somebody else has changed", async () => {
  const { state, replace } = await startWebhooks(stores, { demo: false });
  const read = async () => (await state()) as RevenueWebhook;
  const first = await read();
  const addresses = ["https://one.example/", "https://two.example/"];
  const replies = await Promise.all(addresses.map((url) => replace(url, first.revision)));
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  expect(replies.find(({ status }) => status === 409)?.body).toEqual({ error: TEXTS.stale });
  const saved = await read();
  expect(replies.find(({ status }) => status === 200)?.body).toEqual(saved);
  expect((await replace(null, first.revision)).status).toBe(409);
  expect(await state()).toEqual(saved);
  expect((await replace(null, saved.revision)).body).toEqual(first);
});

test.each([
  "http://game.example/revenue",
  "https://10.0.0.5/",
  "https://127.0.0.1/",
  "https://169.254.169.254/latest/meta-data",
  "https://[::1]/",
  "https://localhost/",
  "https://me:pass@game.example/",
  "https://game.example/#a",
  "ftp://game.example/",
  "game.example",
  "",
])("outside demo mode, the address %j is refused", async (url) => {
  const { save, state } = await startWebhooks(stores, { demo: false });
  expect(await save(url)).toMatchObject({ status: 400, body: { error: { url: expect.any(String) } } });
  expect(await state()).toEqual(NONE);
});

test("outside demo mode, no delivery reaches a private network, whatever the address was when it was saved", async () => {
  const receiver = await startReceiver();
  const { app, at, owner, path, state } = await startWebhooks(stores, { demo: false });
  await keep(stores.clickhouse, {
    events: [storedAt(Date.now() - 20_000, new Date().toISOString(), { app_id: app.id })],
  });
  await pool.query("INSERT INTO revenue_webhooks (app_id, url, place, next_at) VALUES ($1, $2, $3, now())", [
    app.id,
    receiver.origin,
    `${Date.now() - 60_000}~0~`,
  ]);
  const sent = await at.send("POST", owner, `${path()}/test`, {});
  expect(sent.body).toEqual({ delivered: false, outcome: "closed_address" });
  await expect.poll(() => state(), SOON).toMatchObject({ waiting: 1, last_failure: { outcome: "closed_address" } });
  expect(receiver.calls).toEqual([]);
});

test("a test delivery is signed, says that it is one and earns nothing, and needs an address", async () => {
  const receiver = await startReceiver();
  const { app, at, owner, path, save, state, keysUrl } = await startWebhooks(stores);
  const send = () => at.send("POST", owner, `${path()}/test`, {});
  expect(await send()).toMatchObject({ status: 409 });
  await save(receiver.origin);
  expect((await send()).body).toEqual({ delivered: true, outcome: 204 });
  const [call] = receiver.calls;
  expect(call?.delivery).toMatchObject({
    app: app.uuid,
    test: true,
    impressions: [{ network: "test", revenue_micros: 0 }],
  });
  const { isGenuine } = await documentedVerifier();
  expect(call && (await isGenuine(call.body, call.headers, keysUrl))).toBe(true);
  receiver.status = 401;
  expect((await send()).body).toEqual({ delivered: false, outcome: 401 });
  expect(await state()).toMatchObject({ delivered: 0, last_failure: null });
});

test("a redirect is not followed, and a huge answer is cut off", async () => {
  let [elsewhere, poured, isCut] = [0, 0, false];
  const inside = await serveHttp((_, reply) => {
    elsewhere++;
    reply.end();
  });
  const odd = await serveHttp((request, reply) => {
    if (request.url === "/away") return reply.writeHead(307, { location: inside }).end();
    reply.on("error", () => undefined);
    reply.on("close", () => (isCut = true));
    const pour = () => {
      while (!reply.destroyed && reply.write("x".repeat(65_536))) poured += 65_536;
    };
    reply.on("drain", pour);
    pour();
  });
  const { at, owner, path, save } = await startWebhooks(stores);
  await save(`${odd}/away`);
  const send = async () => (await at.send("POST", owner, `${path()}/test`, {})).body;
  expect(await send()).toEqual({ delivered: false, outcome: "too_many_redirects" });
  expect(elsewhere).toBe(0);
  await save(`${odd}/huge`);
  expect(await send()).toEqual({ delivered: true, outcome: 200 });
  await expect.poll(() => isCut, SOON).toBe(true);
  expect(poured).toBeLessThan(32 * 1024 * 1024);
});

test(
  "silent servers are given up after ten seconds, and delay no other app's deliveries",
  { timeout: 60_000 },
  async () => {
    const silent = await serveHttp(() => undefined);
    const receiver = await startReceiver();
    const { app, addApp, save, state } = await startWebhooks(stores);
    const others = [];
    for (let nth = 0; nth < 12; nth++) others.push(await addApp());
    const time = new Date().toISOString();
    const events = [app, ...others].map(({ id }) => storedAt(Date.now() - 20_000, time, { app_id: id }));
    await keep(stores.clickhouse, { events });
    for (const { uuid } of others) await save(silent, uuid);
    const began = performance.now();
    await save(receiver.origin);
    await expect.poll(() => receiver.calls.length, { timeout: 9000, interval: 20 }).toBe(1);
    expect(performance.now() - began).toBeLessThan(9000);
    for (const { uuid } of others)
      await expect.poll(() => state(uuid), SOON).toMatchObject({ waiting: 1, last_failure: { outcome: "timeout" } });
  },
);

test("tests of silent servers take no connection from deliveries", { timeout: 60_000 }, async () => {
  let asked = 0;
  const silent = await Promise.all(Array.from({ length: 32 }, () => serveHttp(() => void asked++)));
  const receiver = await startReceiver();
  const { app, addApp, at, owner, path, save } = await startWebhooks(stores);
  const row = storedAt(Date.now() - 20_000, new Date().toISOString(), { app_id: app.id });
  await keep(stores.clickhouse, { events: [row] });
  const paths: string[] = [];
  for (const origin of silent) {
    const { id, uuid } = await addApp();
    await pool.query("INSERT INTO revenue_webhooks (app_id, url, place, next_at) VALUES ($1, $2, '1~1~', 'infinity')", [
      id,
      origin,
    ]);
    paths.push(`${path(uuid)}/test`);
  }
  // Eight connections to each server are all that a client opens to it, and these are all that it opens.
  const tests = paths.flatMap((one) => Array.from({ length: 8 }, () => at.send("POST", owner, one, {})));
  await expect.poll(() => asked, { timeout: 9000, interval: 10 }).toBe(256);
  await save(receiver.origin);
  const callsBeforeTheEnd = Promise.race(tests).then(() => receiver.calls.length);
  for (const { body } of await Promise.all(tests)) expect(body).toEqual({ delivered: false, outcome: "timeout" });
  expect(await callsBeforeTheEnd).toBe(1);
});
