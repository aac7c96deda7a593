import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testStores } from "../../../platform/testing/stores.ts";
import { createApp, findApp, listApps } from "../store.ts";
import { appsServer, newAccount } from "../testing/apps-server.ts";

const stores = await testStores();
const { pool } = stores.pg;
const clock = { offsetMs: 0 };
let at: Awaited<ReturnType<typeof appsServer>>;
let demo: Awaited<ReturnType<typeof appsServer>>;
let account: number;
/** What the store answers; each test may say something else. */
let answer: { status: number; body: string };

beforeAll(async () => {
  const store = createServer((_, reply) => reply.writeHead(answer.status).end(answer.body));
  await new Promise<void>((resolve) => {
    store.listen(0, "127.0.0.1", resolve);
  });
  afterAll(() => void store.close());
  const storeOrigin = `http://127.0.0.1:${(store.address() as AddressInfo).port}`;
  answer = { status: 200, body: await readFile(new URL("stores/fixtures/app-store.json", import.meta.url), "utf8") };
  const now = () => Date.now() + clock.offsetMs;
  at = await appsServer(stores, { role: "SDEV", storeOrigin, now });
  demo = await appsServer(stores, { role: "SDEV", demo: true });
});
afterAll(async () => {
  await Promise.all([at.stop(), demo.stop()]);
});

const fresh = async () => (account = await newAccount(stores, "Owner"));
const add = async (body: object, by = account, server = at) => {
  const { status, body: reply } = await server.send("POST", by, "/apps/add_app", { type: "apps", ...body });
  return { status, reply: reply as Record<string, unknown> };
};
const inDev = { dev: 1, platform: "android", name: "Tide", bundle_id: "com.example.tide" };
const rowOf = async (uuid: unknown) => {
  const { rows } = await pool.query<Record<string, unknown>>("SELECT * FROM apps WHERE uuid = $1", [uuid]);
  return rows[0];
};

/** Looks an app up and waits for what its store says. */
async function lookUp(url: string, by = account) {
  const begun = await add({ url }, by);
  expect(begun).toEqual({ status: 200, reply: { qid: expect.any(String), status: "waiting" } });
  const { qid } = begun.reply;
  let polled = await add({ qid }, by);
  for (let tries = 0; tries < 100 && String(polled.reply["status"]).endsWith("ing"); tries++) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    polled = await add({ qid }, by);
  }
  return { qid, ...polled.reply } as { qid: string; status: string; items?: { id: string }[] };
}

test("an app in development is added with its flags, waits for a moderator, and is on record", async () => {
  await fresh();
  const { status, reply } = await add({ ...inDev, is_gaming: 1, kids: true, mute: true, only_image: true });
  expect(status).toBe(200);
  expect(reply).toEqual({
    redirect_to: `/apps/${String(reply["uuid"])}/settings`,
    uuid: expect.any(String),
    message: "Your application is being moderated. Please wait.",
  });
  expect(await rowOf(reply["uuid"])).toMatchObject({
    account_id: account,
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
  const { rows } = await pool.query("SELECT action, account_id, details FROM audit_log WHERE subject = $1", [
    reply["uuid"],
  ]);
  expect(rows).toEqual([{ action: "app_added", account_id: account, details: { platform: "android", in_dev: true } }]);
});

test("in a demo an app is live at once, and the reply says so", async () => {
  await fresh();
  const { reply } = await add(inDev, account, demo);
  expect(await rowOf(reply["uuid"])).toMatchObject({ moderation: "live" });
  expect(reply["message"]).toContain("live");
});

test("the platform is iOS unless another is named, and the name may stand in the bundle id's field", async () => {
  await fresh();
  const { reply } = await add({ dev: 1, bundle_id: "com.example.tide" });
  expect(await rowOf(reply["uuid"])).toMatchObject({ platform: "ios", name: "com.example.tide" });
  for (const platform of ["roku", "firetv", "amazon", "tizentv"]) {
    const { reply } = await add({ dev: 1, platform, name: `Tide ${platform}` });
    expect(await rowOf(reply["uuid"])).toMatchObject({ platform, bundle_id: "", name: `Tide ${platform}` });
  }
  expect(await add({ dev: 1, platform: "roku" })).toEqual({
    status: 400,
    reply: { error: { name: "Your app name is required" } },
  });
});

test("what a platform does not have is refused field by field", async () => {
  await fresh();
  const refusals: [object, Record<string, string>][] = [
    [{}, { url: "Your bundle ID or app url is required" }],
    [{ url: " " }, { url: "Your bundle ID or app url is required" }],
    [{ manual: 1 }, { url: "Your bundle ID or app url is required" }],
    [{ dev: 1 }, { bundle_id: "Your bundle ID is required" }],
    [{ dev: 1, platform: "androidtv", name: "x" }, { bundle_id: "Your bundle ID is required" }],
    [{ dev: 1, bundle_id: "a b<c>" }, { bundle_id: "Use letters, digits, dots, hyphens and underscores" }],
    [{ ...inDev, platform: "ios", is_gaming: 1 }, { is_gaming: "Only Android apps are told apart by this" }],
    [
      { ...inDev, platform: "tvos", mute: true, kids: true },
      { mute: "Only Android and iOS apps can be muted", kids: "Only Android and iOS apps can be for children" },
    ],
    [{ ...inDev, kids: true, adult: true }, { adult: "An app for children cannot be for adults only" }],
    [{ ...inDev, demo: "1" }, { type: "Add an app in one way at a time" }],
    [{ ...inDev, qid: "x" }, { type: "Add an app in one way at a time" }],
    [{ ...inDev, moderation: "live" }, { moderation: "This field is not known" }],
  ];
  for (const [body, error] of refusals)
    expect([body, await add(body)]).toEqual([body, { status: 400, reply: { error } }]);
  expect(await listApps(pool, account)).toEqual([]);
});

test("a published app is looked up, chosen and added once", async () => {
  await fresh();
  const { qid, status, items } = await lookUp("https://apps.apple.com/de/app/tide/id123456789?mt=8");
  expect(status).toBe("done");
  expect(items).toEqual(
    ["ios", "tvos"].map((platform) => ({
      id: `${platform}:123456789`,
      platform,
      name: "Tide & Ebb",
      logo_url: "https://is1-ssl.mzstatic.com/image/tide/512x512bb.jpg",
      url: "https://apps.apple.com/de/app/id123456789",
    })),
  );
  const { reply } = await add({ qid, item: "ios:123456789", mute: true });
  expect(await rowOf(reply["uuid"])).toMatchObject({
    name: "Tide & Ebb",
    bundle_id: "com.example.tide",
    platform: "ios",
    url: "https://apps.apple.com/de/app/id123456789",
    logo_url: "https://is1-ssl.mzstatic.com/image/tide/512x512bb.jpg",
    store_id: "123456789",
    in_dev: false,
    moderation: "check",
    muted: true,
  });
  const again = { status: 409, reply: { error: "This app is in your list already" } };
  expect(await add({ qid, item: "ios:123456789" })).toEqual(again);
  expect(await add({ manual: 1, url: "123456789", name: "Other", bundle_id: "com.example.other" })).toEqual(again);
  expect((await add({ qid, item: "tvos:123456789" })).status).toBe(200);
  expect(await add({ qid, item: "tvos:123456789", kids: true })).toMatchObject({ status: 400 });
  expect(await add({ qid, item: "android:123456789" })).toEqual({
    status: 400,
    reply: { error: { item: "Choose one of the apps that were found" } },
  });
});

test("a search is its own account's alone, and over after an hour", async () => {
  await fresh();
  const mine = account;
  const { qid } = await lookUp("123456789");
  const other = await newAccount(stores, "Other");
  const over = { status: 404, reply: { error: "This search is over. Please search again" } };
  expect(await add({ qid }, other)).toEqual(over);
  expect(await add({ qid, item: "ios:123456789" }, other)).toEqual(over);
  expect((await add({ qid }, mine)).status).toBe(200);
  clock.offsetMs = 3_600_001;
  expect(await add({ qid }, mine)).toEqual(over);
  await at.apps.start?.();
  clock.offsetMs = 0;
  const { rows } = await pool.query("SELECT FROM app_lookups WHERE qid = $1", [qid]);
  expect(rows).toEqual([]);
});

test("a search whose worker has died is given up", async () => {
  await fresh();
  await pool.query(
    "INSERT INTO app_lookups (qid, account_id, url, state, created_at) VALUES ('lost', $1, 'x', 'working', $2)",
    [account, new Date(Date.now() - 21_000)],
  );
  expect(await add({ qid: "lost" })).toEqual({ status: 200, reply: { qid: "lost", status: "unreachable" } });
});

test("where the store has no such app nothing is found, and where it cannot be asked the app is entered by hand", async () => {
  await fresh();
  const before = answer;
  answer = { status: 404, body: "" };
  expect(await lookUp("com.example.none")).toMatchObject({ status: "done", items: [] });
  answer = { status: 503, body: "" };
  const begun = performance.now();
  const { status, items } = await lookUp("com.example.tide");
  expect([status, items]).toEqual(["unreachable", undefined]);
  expect(performance.now() - begun).toBeLessThan(6000);
  answer = before;

  const refused = await add({ manual: 1, url: "com.example.tide", platform: "ios" });
  expect(refused.reply).toEqual({
    error: { name: "Your app name is required", platform: "There are no apps for this platform in Google Play" },
  });
  expect((await add({ manual: 1, url: "id123", name: "Tide" })).reply).toEqual({
    error: { bundle_id: "Your bundle ID is required" },
  });
  const url = "https://play.google.com/store/apps/details?id=com.example.tide&hl=de";
  const { reply } = await add({ manual: 1, url, platform: "androidtv", name: "Tide", bundle_id: "com.example.lie" });
  expect(await rowOf(reply["uuid"])).toMatchObject({
    name: "Tide",
    platform: "androidtv",
    bundle_id: "com.example.tide",
    store_id: "com.example.tide",
    url: "https://play.google.com/store/apps/details?id=com.example.tide",
    in_dev: false,
    moderation: "check",
  });
});

test("an address of no store is refused with a sentence, and nothing is asked", async () => {
  await fresh();
  for (const url of ["http://169.254.169.254/latest", "https://example.com/app", "javascript:alert(1)"]) {
    expect((await add({ url })).reply).toEqual({
      error: {
        url: "Use an app's address or id in Google Play, the App Store, the Amazon Appstore or the Roku Channel Store",
      },
    });
  }
  const { rows } = await pool.query("SELECT FROM app_lookups WHERE account_id = $1", [account]);
  expect(rows).toEqual([]);
});

test("of two that add the same app at once, one does", async () => {
  await fresh();
  const tries = await Promise.all(Array.from({ length: 6 }, () => add(inDev)));
  expect(tries.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409, 409, 409]);
  expect(await listApps(pool, account)).toHaveLength(1);
  expect((await add(inDev, await newAccount(stores, "Other"))).status).toBe(200);
});

test("a deleted app can be added again", async () => {
  await fresh();
  const { reply } = await add(inDev);
  await pool.query("UPDATE apps SET deleted_at = now() WHERE uuid = $1", [reply["uuid"]]);
  expect((await add(inDev)).status).toBe(200);
});

test("somebody without apps gets two sample apps, which go when a real one comes", async () => {
  await fresh();
  const tries = await Promise.all([add({ demo: "1" }), add({ demo: "1" })]);
  expect(tries.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  expect(tries.find(({ status }) => status === 200)?.reply).toEqual({ redirect_to: "/apps" });
  const samples = await listApps(pool, account);
  expect(samples).toHaveLength(2);
  expect(samples.every((app) => app.demo)).toBe(true);
  const { reply } = await add(inDev);
  expect((await listApps(pool, account)).map(({ uuid }) => uuid)).toEqual([reply["uuid"]]);
  expect((await add({ demo: "1" })).reply).toEqual({ error: "Sample apps are for accounts that have no apps yet" });
});

test("an account of the demo keeps its apps when one is added", async () => {
  const { rows } = await pool.query<{ id: number }>(
    "INSERT INTO accounts (name, demo) VALUES ('Demo', true) RETURNING id",
  );
  const id = rows[0]?.id ?? expect.fail("no account");
  const own = await createApp(pool, id, { name: "Own", bundleId: "com.example.own", platform: "ios", demo: true });
  expect((await add(inDev, id)).status).toBe(200);
  expect(await findApp(pool, id, own.uuid)).toEqual(own);
});

test("an account that floods the stores or the moderators is told to wait", async () => {
  await fresh();
  for (let n = 0; n < 10; n++) expect((await add({ url: "123456789" })).status).toBe(200);
  const flood = await at.server.inject({
    method: "POST",
    url: "/apps/add_app",
    headers: { "x-account": String(account) },
    payload: { type: "apps", url: "123456789" },
  });
  expect(flood.statusCode).toBe(429);
  expect(Number(flood.headers["retry-after"])).toBeGreaterThan(0);
  expect((await add({ url: "123456789" }, await newAccount(stores, "Other"))).status).toBe(200);
  await fresh();
  for (let n = 0; n < 60; n++) expect((await add({ ...inDev, bundle_id: `com.example.n${n}` })).status).toBe(200);
  expect((await add({ ...inDev, bundle_id: "com.example.more" })).status).toBe(429);
});

test("a guest adds nothing", async () => {
  await fresh();
  const guests = await appsServer(stores, { role: "GST" });
  expect((await add(inDev, account, guests)).status).toBe(403);
  await guests.stop();
  expect(await listApps(pool, account)).toEqual([]);
});
