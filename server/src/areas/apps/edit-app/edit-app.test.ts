import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { allAppsOf } from "../../../platform/http/caller.ts";
import { testStores } from "../../../platform/testing/stores.ts";
import { post, removeDir, startExchange, type TestExchange } from "../../exchange/testing/start-exchange.ts";
import { createApp, findApp, type NewApp } from "../store.ts";
import { appsServer, newAccount } from "../testing/apps-server.ts";

const stores = await testStores();
const { pool } = stores.pg;
let at: Awaited<ReturnType<typeof appsServer>>;
let account: number;
let other: number;
let exchange: TestExchange;

beforeAll(async () => {
  at = await appsServer(stores, { role: "owner" });
  account = await newAccount(stores, "Owner");
  other = await newAccount(stores, "Other");
  exchange = await startExchange(stores);
});
afterAll(async () => {
  await Promise.all([at.stop(), exchange.stop()]);
  await removeDir(exchange.dataDir);
});

let count = 0;
const newApp = (app: Partial<NewApp> = {}) =>
  createApp(pool, account, {
    name: "Tide",
    bundleId: `com.example.tide${(count += 1)}`,
    platform: "android",
    inDev: true,
    ...app,
  });
const rename = (uuid: string, body: object, by = account) =>
  at.send("POST", by, `/apps/${uuid}/tracking_url`, { uuid, app_name: "Tide", ...body });
const mute = (uuid: string, body: object, by = account) =>
  at.send("POST", by, `/apps/${uuid}/app_mute`, { tag: 1, ...body });
async function remove(uuid: string, headers: Record<string, string> = {}, by = account) {
  const reply = await at.server.inject({
    url: `/apps/${uuid}/delete_app`,
    headers: { "x-account": String(by), accept: "application/json", ...headers },
  });
  return { status: reply.statusCode, body: reply.json<unknown>() };
}
const actsOn = async (uuid: string) => {
  const { rows } = await pool.query<{ action: string; account_id: number; details: object }>(
    "SELECT action, account_id, details FROM audit_log WHERE subject = $1 ORDER BY id",
    [uuid],
  );
  return rows;
};
const mutedOf = async (uuid: string) =>
  (await pool.query("SELECT muted FROM apps WHERE uuid = $1", [uuid])).rows[0] as unknown;

test("an app with a new bundle id keeps the name that somebody else has given it", async () => {
  const app = await newApp();
  await rename(app.uuid, { app_name: "Ebb" });
  const bundle = `${app.bundleId}.new`;
  expect(await rename(app.uuid, { app_name: null, app_bundle_id: bundle })).toMatchObject({
    status: 200,
    body: { name: "Ebb", bundle_id: bundle },
  });
  expect(await rename(app.uuid, { app_name: "Flow" })).toMatchObject({ body: { name: "Flow", bundle_id: bundle } });
});

test("an app is renamed, and keeps its bundle id if none is given", async () => {
  const app = await newApp();
  expect(await rename(app.uuid, { app_name: " Ebb & <b>Flow</b> ", app_bundle_id: null })).toEqual({
    status: 200,
    body: { name: "Ebb & <b>Flow</b>", bundle_id: app.bundleId },
  });
  expect(await findApp(pool, allAppsOf(account), app.uuid)).toEqual({ ...app, name: "Ebb & <b>Flow</b>" });
  expect(await actsOn(app.uuid)).toEqual([
    { action: "app_renamed", account_id: account, details: { name_changed: true, bundle_id_changed: false } },
  ]);
  for (const app_name of ["Tide\u202E", "Ti\u200Bde", "Tide\nEbb"]) {
    expect(await rename(app.uuid, { app_name })).toEqual({
      status: 400,
      body: { error: { app_name: "Use visible characters on one line" } },
    });
  }
  for (const app_name of ["", "   "]) {
    expect(await rename(app.uuid, { app_name })).toEqual({
      status: 400,
      body: { error: { app_name: "Your app name is required" } },
    });
  }
});

test("a bundle id can change while the app is in development and its SDK is off or was never seen", async () => {
  const long = new Date(Date.now() - 40 * 86_400_000);
  const changeable = [await newApp(), await newApp()];
  await pool.query("UPDATE apps SET sdk_version = '1.2.0', sdk_seen_at = $2 WHERE id = $1", [changeable[1]?.id, long]);
  for (const { uuid } of changeable) {
    const bundle = `com.example.new${uuid.slice(0, 8)}`;
    expect(await rename(uuid, { app_bundle_id: bundle })).toEqual({
      status: 200,
      body: {
        name: "Tide",
        bundle_id: bundle,
        message: "The bundle ID has changed, so a moderator checks the app again. Until then it gets no ads.",
      },
    });
  }
  const running = await newApp();
  await pool.query("UPDATE apps SET sdk_version = '1.2.0', sdk_seen_at = now() WHERE id = $1", [running.id]);
  const fixed = [
    running,
    await newApp({ inDev: false }),
    await newApp({ moderation: "check" }),
    await newApp({ moderation: "banned" }),
  ];
  for (const app of fixed) {
    expect(await rename(app.uuid, { app_bundle_id: "com.example.changed" })).toEqual({
      status: 400,
      body: {
        error: { app_bundle_id: "The bundle ID can only change while the app is in development and its SDK is off" },
      },
    });
    expect((await rename(app.uuid, { app_name: "New", app_bundle_id: app.bundleId })).status).toBe(200);
  }
});

test("an app with a new bundle id awaits moderation again, outside a demo", async () => {
  const stateOf = async (uuid: string) =>
    (await pool.query("SELECT moderation, moderation_reason, waiting_since FROM apps WHERE uuid = $1", [uuid])).rows[0];
  const [app, inDemo] = [await newApp(), await newApp()];
  await pool.query("UPDATE apps SET moderation_reason = 'Fine' WHERE uuid = ANY($1)", [[app.uuid, inDemo.uuid]]);
  const asBefore = { moderation: "live", moderation_reason: "Fine", waiting_since: null };
  await rename(app.uuid, { app_name: "Ebb", app_bundle_id: app.bundleId });
  expect(await stateOf(app.uuid)).toEqual(asBefore);
  await rename(app.uuid, { app_bundle_id: "news.example" });
  expect(await stateOf(app.uuid)).toEqual({
    moderation: "check",
    moderation_reason: null,
    waiting_since: expect.any(Date),
  });
  const demo = await appsServer(stores, { role: "owner", demo: true });
  const body = { uuid: inDemo.uuid, app_name: "Tide", app_bundle_id: "demo.example" };
  expect(await demo.send("POST", account, `/apps/${inDemo.uuid}/tracking_url`, body)).toEqual({
    status: 200,
    body: { name: "Tide", bundle_id: "demo.example" },
  });
  await demo.stop();
  expect(await stateOf(inDemo.uuid)).toEqual(asBefore);
});

test("an invalid bundle id, or that of another app, is refused", async () => {
  const [app, taken] = [await newApp(), await newApp()];
  expect(await rename(app.uuid, { app_bundle_id: "a b" })).toMatchObject({
    status: 400,
    body: { error: { app_bundle_id: "Use letters, digits, dots, hyphens and underscores" } },
  });
  expect(await rename(app.uuid, { app_bundle_id: taken.bundleId.toUpperCase() })).toEqual({
    status: 409,
    body: { error: { app_bundle_id: "Another app in your account has this bundle ID" } },
  });
});

test("the UUID in the body must match the address", async () => {
  const [app, another] = [await newApp(), await newApp()];
  expect(await rename(app.uuid, { uuid: another.uuid })).toEqual({
    status: 400,
    body: { error: { uuid: "The UUID does not match the address" } },
  });
  expect((await rename(app.uuid, { uuid: app.uuid.toUpperCase() })).status).toBe(200);
});

test("video ads are muted or unmuted on platforms with this flag", async () => {
  const [app, television] = [await newApp(), await newApp({ platform: "tvos" })];
  expect(await mute(app.uuid, { mute: "on" })).toEqual({ status: 200, body: { muted: true } });
  expect(await mutedOf(app.uuid)).toEqual({ muted: true });
  expect(await mute(app.uuid, { mute: "off" })).toEqual({ status: 200, body: { muted: false } });
  expect(await mutedOf(app.uuid)).toEqual({ muted: false });
  expect((await actsOn(app.uuid)).map(({ action, details }) => ({ action, details }))).toEqual([
    { action: "app_muted", details: { muted: true } },
    { action: "app_muted", details: { muted: false } },
  ]);
  expect(await mute(television.uuid, { mute: "on" })).toMatchObject({ status: 400 });
  expect(await mute(television.uuid, { mute: "off" })).toMatchObject({ status: 200 });
  expect(await mute(app.uuid, { mute: "loud" })).toMatchObject({ status: 400 });
});

test("another account's app is not there", async () => {
  const app = await newApp();
  const missing = { status: 404, body: { error: "There is no such app" } };
  expect(await rename(app.uuid, {}, other)).toEqual(missing);
  expect(await mute(app.uuid, { mute: "on" }, other)).toEqual(missing);
  expect(await remove(app.uuid, {}, other)).toEqual(missing);
  expect(await findApp(pool, allAppsOf(account), app.uuid)).toEqual(app);
  expect(await actsOn(app.uuid)).toEqual([]);
});

test("a deleted app is not listed, is in the audit log, and its earnings are kept", async () => {
  const app = await newApp();
  expect(await remove(app.uuid.toUpperCase())).toEqual({ status: 200, body: { redirect_to: "/apps" } });
  expect(await findApp(pool, allAppsOf(account), app.uuid)).toBeUndefined();
  expect(await at.apps.hasApps(account)).toBe(true);
  expect(await remove(app.uuid)).toMatchObject({ status: 404 });
  expect(await actsOn(app.uuid)).toEqual([{ action: "app_deleted", account_id: account, details: {} }]);
});

test("the exchange stops serving a deleted app within five seconds", async () => {
  const app = await newApp();
  const init = async () => {
    const reply = await post(exchange, "/sdk/v1/init", {
      app: app.uuid,
      platform: "android",
      sdk_version: "1.0.0",
      install_id: "6f9619ff-8b86-4d01-b42d-00cf4fc964ff",
      device: { os: "android" },
    });
    return reply.statusCode;
  };
  await vi.waitFor(async () => expect(await init()).toBe(200), 5000);
  await remove(app.uuid);
  await vi.waitFor(async () => expect(await init()).toBe(404), 5000);
});

test("the exchange ignores sample apps in accounts of real publishers", async () => {
  const sample = await newApp({ demo: true });
  const real = await newApp();
  await exchange.exchange.drain();
  const vast = async (uuid: string) => (await exchange.app.inject(`/vast?app=${uuid}&zone=top`)).statusCode;
  await vi.waitFor(async () => expect(await vast(real.uuid)).toBe(200), 5000);
  expect(await vast(sample.uuid)).toBe(404);
});

test("other sites cannot delete an app", async () => {
  const app = await newApp();
  const attempts: Record<string, string>[] = [
    { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
    { "sec-fetch-site": "none", accept: "text/html" },
    { origin: "https://evil.example" },
    { accept: "image/png" },
  ];
  for (const headers of attempts) {
    expect([headers, (await remove(app.uuid, headers)).status]).toEqual([headers, 403]);
  }
  expect(await findApp(pool, allAppsOf(account), app.uuid)).toEqual(app);
  expect((await remove(app.uuid, { "sec-fetch-site": "same-origin" })).status).toBe(200);
});

test("a developer can neither change nor delete an app", async () => {
  const app = await newApp();
  const asDeveloper = await appsServer(stores, { role: "SDEV" });
  const headers = { "x-account": String(account), accept: "application/json" };
  const reply = await asDeveloper.server.inject({ url: `/apps/${app.uuid}/delete_app`, headers });
  expect(reply.statusCode).toBe(403);
  const muted = await asDeveloper.send("POST", account, `/apps/${app.uuid}/app_mute`, { mute: "on", tag: 1 });
  expect(muted.status).toBe(403);
  await asDeveloper.stop();
});
