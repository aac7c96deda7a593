import { randomUUID } from "node:crypto";
import { ACCOUNT_LIMITS } from "@millrace/contract";
import { expect, test } from "vitest";
import { allAppsOf } from "../../../platform/http/caller.ts";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { createApp, findApp, listApps } from "../store.ts";
import { addInTest, inDevelopment } from "../testing/add-in-test.ts";
import { appsServer } from "../testing/apps-server.ts";

const at = await addInTest();

test("an app in development is added with its flags, waits for moderation, and is in the audit log", async () => {
  at.account = await at.newAccount();
  const { status, reply } = await at.add({ ...inDevelopment, is_gaming: 1, kids: true, mute: true, only_image: true });
  expect(status).toBe(200);
  expect(reply).toEqual({
    redirect_to: `/apps/${String(reply["uuid"])}/settings`,
    uuid: expect.any(String),
    message: "Your application is being moderated. Please wait.",
  });
  expect(await at.rowOf(reply["uuid"])).toMatchObject({
    account_id: at.account,
    name: "Tide",
    bundle_id: "com.example.tide",
    platform: "android",
    in_dev: true,
    moderation: "check",
    is_gaming: true,
    kids: true,
    muted: true,
    only_image: true,
    adult: false,
    demo: false,
    store_id: null,
  });
  const { rows } = await at.pool.query("SELECT action, account_id, details FROM audit_log WHERE subject = $1", [
    reply["uuid"],
  ]);
  expect(rows).toEqual([
    { action: "app_added", account_id: at.account, details: { platform: "android", in_dev: true } },
  ]);
});

test("in a demo an app is live at once, and the reply says so", async () => {
  at.account = await at.newAccount();
  const { reply } = await at.add(inDevelopment, { on: at.servers.demo });
  expect(await at.rowOf(reply["uuid"])).toMatchObject({ moderation: "live" });
  expect(reply["message"]).toContain("live");
});

test("the default platform is iOS, and the bundle id's field may hold the name", async () => {
  at.account = await at.newAccount();
  const { reply } = await at.add({ dev: 1, bundle_id: "com.example.tide" });
  expect(await at.rowOf(reply["uuid"])).toMatchObject({ platform: "ios", name: "com.example.tide" });
  for (const platform of ["roku", "firetv", "amazon", "tizentv"]) {
    const { reply } = await at.add({ dev: 1, platform, name: `Tide ${platform}` });
    expect(await at.rowOf(reply["uuid"])).toMatchObject({ platform, bundle_id: "", name: `Tide ${platform}` });
  }
  expect(await at.add({ dev: 1, platform: "roku" })).toEqual({
    status: 400,
    reply: { error: { name: "Your app name is required" } },
  });
});

test("fields that a platform does not have are refused one by one", async () => {
  at.account = await at.newAccount();
  const refusals: [object, Record<string, string>][] = [
    [{}, { url: "Your bundle ID or app url is required" }],
    [{ url: " " }, { url: "Your bundle ID or app url is required" }],
    [{ manual: 1 }, { url: "Your bundle ID or app url is required" }],
    [{ dev: 1 }, { bundle_id: "Your bundle ID is required" }],
    [{ dev: 1, platform: "androidtv", name: "x" }, { bundle_id: "Your bundle ID is required" }],
    [{ dev: 1, bundle_id: "a b<c>" }, { bundle_id: "Use letters, digits, dots, hyphens and underscores" }],
    [{ ...inDevelopment, platform: "ios", is_gaming: 1 }, { is_gaming: "Only Android apps have this flag" }],
    [
      { ...inDevelopment, platform: "tvos", mute: true, kids: true },
      { mute: "Only Android and iOS apps can be muted", kids: "Only Android and iOS apps can be for children" },
    ],
    [{ ...inDevelopment, kids: true, adult: true }, { adult: "An app for children cannot be for adults only" }],
    [{ ...inDevelopment, demo: "1" }, { type: "Choose one way to add an app" }],
    [{ ...inDevelopment, qid: "x" }, { type: "Choose one way to add an app" }],
    [{ ...inDevelopment, moderation: "live" }, { moderation: "This field is not known" }],
  ];
  for (const [body, error] of refusals)
    expect([body, await at.add(body)]).toEqual([body, { status: 400, reply: { error } }]);
  expect(await listApps(at.pool, allAppsOf(at.account))).toEqual([]);
});

test("of two requests that add the same app at once, one succeeds", async () => {
  at.account = await at.newAccount();
  const tries = await Promise.all(Array.from({ length: 6 }, () => at.add(inDevelopment)));
  expect(tries.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409, 409, 409]);
  expect(await listApps(at.pool, allAppsOf(at.account))).toHaveLength(1);
  expect((await at.add(inDevelopment, { by: await at.newAccount() })).status).toBe(200);
});

test("an account gets no app that is added while the account is being deleted", async () => {
  at.account = await at.newAccount();
  const adding = await inTransaction(at.pool, async (client) => {
    await client.query("UPDATE accounts SET deleted_at = now() WHERE id = $1", [at.account]);
    const calls = [at.add(inDevelopment), at.add({ demo: "1" })];
    const waiting = "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
    await expect.poll(async () => (await at.pool.query(waiting)).rowCount).toBe(calls.length);
    return { calls };
  });
  expect((await Promise.all(adding.calls)).map(({ status }) => status)).toEqual([401, 401]);
  expect(await listApps(at.pool, allAppsOf(at.account))).toEqual([]);
});

test("an app that is sent again after a lost reply is added once, also without a bundle id", async () => {
  at.account = await at.newAccount();
  const key: string = randomUUID();
  const roku = { dev: 1, platform: "roku", name: "Tide" };
  const [first, again] = await Promise.all([at.add(roku, { key }), at.add(roku, { key: key.toUpperCase() })]);
  expect(first.status).toBe(200);
  expect(again).toEqual(first);
  for (const changed of [{ name: "Tides" }, { only_image: true }]) {
    const refused = await at.add({ ...roku, ...changed }, { key });
    expect([refused.status, refused.reply["error"]]).toEqual([409, expect.stringContaining("was already added")]);
  }
  const [{ uuid } = { uuid: "" }, ...more] = await listApps(at.pool, allAppsOf(at.account));
  expect([first.reply["uuid"], more]).toEqual([uuid, []]);
  // The key of another account is another app.
  const other = await at.newAccount();
  expect((await at.add(roku, { key, by: other })).status).toBe(200);
  expect((await at.add(roku, { key: randomUUID() })).status).toBe(200);
  await at.pool.query("UPDATE apps SET deleted_at = now() WHERE uuid = $1", [uuid]);
  expect((await at.add(roku, { key })).status).toBe(404);
});

test("a deleted app can be added again", async () => {
  at.account = await at.newAccount();
  const { reply } = await at.add(inDevelopment);
  await at.pool.query("UPDATE apps SET deleted_at = now() WHERE uuid = $1", [reply["uuid"]]);
  expect((await at.add(inDevelopment)).status).toBe(200);
});

test("an account without apps gets two sample apps, which are removed when a real one is added", async () => {
  at.account = await at.newAccount();
  const tries = await Promise.all([at.add({ demo: "1" }), at.add({ demo: "1" })]);
  for (const { status, reply } of tries) expect([status, reply]).toEqual([200, { redirect_to: "/apps" }]);
  const samples = await listApps(at.pool, allAppsOf(at.account));
  expect(samples).toHaveLength(2);
  expect(samples.every((app) => app.demo)).toBe(true);
  const { reply } = await at.add(inDevelopment);
  expect((await listApps(at.pool, allAppsOf(at.account))).map(({ uuid }) => uuid)).toEqual([reply["uuid"]]);
  expect((await at.add({ demo: "1" })).reply).toEqual({ error: "Sample apps are for accounts that have no apps yet" });
});

test("a demo account keeps its apps when one is added", async () => {
  const { rows } = await at.pool.query<{ id: number }>(
    "INSERT INTO accounts (name, demo) VALUES ('Demo', true) RETURNING id",
  );
  const id = rows[0]?.id ?? expect.fail("no account");
  const own = await createApp(at.pool, id, { name: "Own", bundleId: "com.example.own", platform: "ios", demo: true });
  expect((await at.add(inDevelopment, { by: id })).status).toBe(200);
  expect(await findApp(at.pool, allAppsOf(id), own.uuid)).toEqual(own);
});

test("an account that adds or looks up too many apps is refused", async () => {
  at.account = await at.newAccount();
  for (let n = 0; n < 10; n++) expect((await at.add({ url: "123456789" })).status).toBe(200);
  const flood = await at.servers.real.server.inject({
    method: "POST",
    url: "/apps/add_app",
    headers: { "x-account": String(at.account) },
    payload: { type: "apps", url: "123456789" },
  });
  expect(flood.statusCode).toBe(429);
  expect(Number(flood.headers["retry-after"])).toBeGreaterThan(0);
  expect((await at.add({ url: "123456789" }, { by: await at.newAccount() })).status).toBe(200);
  at.account = await at.newAccount();
  for (let n = 0; n < 60; n++)
    expect((await at.add({ ...inDevelopment, bundle_id: `com.example.n${n}` })).status).toBe(200);
  expect((await at.add({ ...inDevelopment, bundle_id: "com.example.more" })).status).toBe(429);
});

test("a guest cannot add apps", async () => {
  at.account = await at.newAccount();
  const guests = await appsServer(at.stores, { role: "GST" });
  expect((await at.add(inDevelopment, { on: guests })).status).toBe(403);
  await guests.stop();
  expect(await listApps(at.pool, allAppsOf(at.account))).toEqual([]);
});

test("an account has a maximum of apps, without deleted ones", async () => {
  at.account = await at.newAccount();
  await at.pool.query(
    `INSERT INTO apps (account_id, name, bundle_id, platform)
     SELECT $1, 'App', 'com.example.n' || n, 'android' FROM generate_series(1, $2) n`,
    [at.account, ACCOUNT_LIMITS.apps],
  );
  expect(await at.add(inDevelopment)).toEqual({
    status: 409,
    reply: { error: "An account can have at most 500 apps. Remove some first, or contact support." },
  });
  await at.pool.query("UPDATE apps SET deleted_at = now() WHERE account_id = $1 AND bundle_id = 'com.example.n1'", [
    at.account,
  ]);
  expect((await at.add(inDevelopment)).status).toBe(200);
});

test("a name with hidden characters is refused at its field", async () => {
  at.account = await at.newAccount();
  expect(await at.add({ ...inDevelopment, name: "Tide \u2066elzzup\u2069" })).toEqual({
    status: 400,
    reply: { error: { name: "Use visible characters on one line" } },
  });
});
