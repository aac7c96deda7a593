import { ACCOUNT_LIMITS, NO_KEYS, type RtbExt, TEXTS } from "@millrace/contract";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildServer } from "../../platform/http/build-server.ts";
import { silentLog } from "../../platform/log.ts";
import { someCaller } from "../../platform/testing/some-caller.ts";
import { testPostgres } from "../../platform/testing/stores.ts";
import { sealer } from "../../platform/sealed/sealer.ts";
import { testSealer } from "../../platform/testing/test-sealer.ts";
import { demandPartnersArea, keyReader, sealPlainKeys, setPartnerKeys, upsertPartner } from "./index.ts";
import { somePartner } from "../../testing/some-partner.ts";

const pg = await testPostgres();
const { pool } = pg;
const APP = "11111111-1111-4111-8111-111111111111";
let server: FastifyInstance;
let accountId: number;
let appId: number;

beforeAll(async () => {
  const account = await pool.query<{ id: number }>("INSERT INTO accounts (name) VALUES ('Studio') RETURNING id");
  accountId = account.rows[0]?.id ?? 0;
  const app = await pool.query<{ id: number }>(
    `INSERT INTO apps (uuid, account_id, name, bundle_id, platform) VALUES ($1, $2, 'TV', 'tv.example', 'roku') RETURNING id`,
    [APP, accountId],
  );
  appId = app.rows[0]?.id ?? 0;
  await upsertPartner(pool, somePartner({ id: "north", name: "North", media_types: ["video"] }));
  await upsertPartner(pool, somePartner({ id: "south", media_types: ["banner", "native"], active: false }));
  server = await buildServer({
    log: silentLog,
    trustedProxies: 0,
    authenticate: async (request) => someCaller({ accountId: Number(request.headers["x-account"] ?? accountId) }),
  });
  demandPartnersArea({
    log: silentLog,
    pool,
    clock: { now: () => Date.now() },
    sealer: testSealer,
    demo: false,
    rateDays: 7,
    currencyRates: undefined,
    partnersOnDay: async () => [],
    publicUrl: "https://ads.example.com",
    contactEmail: "ads@example.com",
    revenueByPartner: async () => new Map(),
    findApp: async (reach, uuid) =>
      reach.accountId === accountId && uuid === APP
        ? {
            app_id: appId,
            uuid: APP,
            name: "TV",
            logo_url: null,
            url: null,
            bundle_id: "tv.example",
            platform: "roku",
            in_dev: 0,
            sdk_status: "on",
            sdk_status_class: "success",
            sdk_info: { version: null, changelog_url: null, update_url: null },
          }
        : undefined,
  }).routes(server);
});
afterAll(() => server.close());

async function call(method: "GET" | "PUT" | "DELETE", path: string, payload?: object, account = accountId) {
  const reply = await server.inject({
    method,
    url: `/apps/${APP}/rtbext${path}`,
    headers: { "x-account": String(account) },
    ...(payload && { payload }),
  });
  return { status: reply.statusCode, body: reply.json<RtbExt & { error: unknown }>() };
}

test("active partners have forms, each with the formats that it buys", async () => {
  const { body } = await call("GET", "");
  expect(Object.keys(body.schemas)).toEqual(["north"]);
  expect(body.schemas["north"]).toMatchObject({
    dsp_name: "North",
    formats: ["video"],
    is_test: false,
    keys_schema: { type: "object", required: [], properties: { placement: { type: "string", title: "Placement ID" } } },
  });
  expect([body.keys, body.app.name]).toEqual([{}, "TV"]);
});

test("a named partner's form and its faults are those of its adapter", async () => {
  await upsertPartner(pool, somePartner({ id: "channel", kind: "adtelligent", media_types: ["banner", "native"] }));
  const { schemas } = (await call("GET", "")).body;
  expect(schemas["channel"]).toMatchObject({
    formats: ["banner"],
    keys_schema: { required: ["aid"], properties: { aid: { type: "integer", title: "Channel ID" } } },
  });
  const refused = await call("PUT", "/channel/banner", { aid: "seven" });
  expect([refused.status, refused.body.error]).toEqual([400, { aid: "This field must be a number" }]);
  expect((await call("PUT", "/channel/banner", { siteId: 1 })).body.error).toEqual({ aid: "This field is required" });
  await pool.query("DELETE FROM partners WHERE id = 'channel'");
});

test("keys are set, changed, returned and removed, and stored only sealed", async () => {
  expect((await call("PUT", "/north/video", { placement: "slot-secret-1" })).body.keys).toEqual({
    north: { video: { placement: "slot-secret-1" } },
  });
  await call("PUT", "/north/video", { placement: "slot-secret-2", extra: [1, 2], live: true });
  expect((await call("GET", "")).body.keys["north"]?.video).toEqual({
    placement: "slot-secret-2",
    extra: [1, 2],
    live: true,
  });
  const { rows } = await pool.query("SELECT row_to_json(partner_keys) AS row FROM partner_keys");
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toContain("slot-secret");
  expect((await call("DELETE", "/north/video")).body.keys).toEqual({});
  expect((await call("DELETE", "/north/video")).status).toBe(404);
});

test("changed keys keep their switch", async () => {
  await call("PUT", "/north/video", { placement: "one" });
  await pool.query("UPDATE partner_keys SET enabled = false");
  await call("PUT", "/north/video", { placement: "two" });
  expect(await keyReader(testSealer, silentLog)(pool, [appId])).toMatchObject([
    { keys: { placement: "two" }, enabled: false },
  ]);
  await call("DELETE", "/north/video");
});

test("keys of a partner's other format have its switch, so that it is not on for one of them alone", async () => {
  await upsertPartner(pool, somePartner({ id: "both", media_types: ["banner", "video"] }));
  const switches = async () => (await keyReader(testSealer, silentLog)(pool, [appId])).map(({ enabled }) => enabled);
  await call("PUT", "/both/video", { placement: "one" });
  await call("PUT", "/both/banner", { placement: "two" });
  expect(await switches()).toEqual([true, true]);
  await call("DELETE", "/both/banner");
  await pool.query("UPDATE partner_keys SET enabled = false");
  await call("PUT", "/both/banner", { placement: "two" });
  expect(await switches()).toEqual([false, false]);
  await pool.query("DELETE FROM partner_keys");
  await pool.query("DELETE FROM partners WHERE id = 'both'");
});

test("saving keys is refused if somebody else has changed, added or removed them, and the keys stay", async () => {
  const revisionOf = (reply: Awaited<ReturnType<typeof call>>) => reply.body.revisions?.["north"]?.video;
  await call("DELETE", "/north/video");
  const first = await call("PUT", `/north/video?revision=${NO_KEYS}`, { seat: "first" });
  const read = revisionOf(first);
  // What is sent again after a lost reply is no change of somebody else's.
  expect(await call("PUT", `/north/video?revision=${NO_KEYS}`, { seat: "first" })).toEqual(first);
  expect([first.status, read]).toEqual([200, expect.any(String)]);
  const stale = { status: 409, body: { error: TEXTS.stale } };
  expect(await call("PUT", `/north/video?revision=${NO_KEYS}`, { seat: "second" })).toMatchObject({
    status: 409,
    body: { error: "This app has keys here already. Edit them in the list" },
  });
  for (const _ of ["first", "again"])
    expect((await call("PUT", `/north/video?revision=${read}`, { seat: "changed" })).status).toBe(200);
  expect(await call("PUT", `/north/video?revision=${read}`, { seat: "second" })).toMatchObject(stale);
  const now = await call("GET", "");
  expect(now.body.keys["north"]?.video).toEqual({ seat: "changed" });
  await call("DELETE", "/north/video");
  expect(await call("PUT", `/north/video?revision=${revisionOf(now)}`, { seat: "second" })).toMatchObject(stale);
  // Programs that send what they mean go on as before.
  expect((await call("PUT", "/north/video", { seat: "second" })).status).toBe(200);
});

test("two people add or change keys at once, and the second is refused", async () => {
  await call("DELETE", "/north/video");
  const at = async (revision: string, seats: [string, string]) => {
    const put = (seat: string) => call("PUT", `/north/video?revision=${revision}`, { seat });
    const replies = await Promise.all(seats.map(put));
    return replies.map(({ status }) => status).toSorted((a, b) => a - b);
  };
  expect(await at(NO_KEYS, ["a", "b"])).toEqual([200, 409]);
  const { body } = await call("GET", "");
  expect(await at(body.revisions?.["north"]?.video ?? "", ["c", "d"])).toEqual([200, 409]);
});

test("changes of keys are in the audit log with their address and without the keys", async () => {
  const { rows } = await pool.query<{ action: string }>(
    "SELECT action, subject, details, host(address) AS address, account_id FROM audit_log ORDER BY id",
  );
  const act = {
    subject: APP,
    details: { partner: "north", format: "video" },
    address: "127.0.0.1",
    account_id: accountId,
  };
  expect(rows[0]).toEqual({ action: "partner_keys_set", ...act });
  expect(rows.find(({ action }) => action === "partner_keys_removed")).toEqual({
    action: "partner_keys_removed",
    ...act,
  });
  expect(JSON.stringify(rows)).not.toContain("slot-secret");
});

test("keys whose secret is gone do not affect others, and can be entered again", async () => {
  const errors: unknown[] = [];
  const log = { error: (...told: unknown[]) => void errors.push(told) };
  await call("PUT", "/north/video", { placement: "readable" });
  const { rows } = await pool.query<{ id: number }>(
    "INSERT INTO apps (account_id, name, bundle_id, platform) VALUES ($1, 'Old', 'old.example', 'roku') RETURNING id",
    [accountId],
  );
  const other = sealer(["a secret that was taken away from the platform"]);
  const old = { app_id: rows[0]?.id ?? 0, partner_id: "north", format: "video", keys: { placement: "lost" } } as const;
  await setPartnerKeys(pool, other, accountId, old);
  const read = keyReader(testSealer, log);
  const both = [appId, old.app_id];
  expect(await read(pool, both)).toMatchObject([{ app_id: appId, keys: { placement: "readable" } }]);
  expect(errors).toEqual([[{ count: 1 }, expect.any(String)]]);
  await setPartnerKeys(pool, testSealer, accountId, { ...old, keys: { placement: "found" } });
  expect(await read(pool, both)).toHaveLength(2);
  expect(errors).toHaveLength(1);
  await pool.query("DELETE FROM partner_keys");
});

test.each(["\u202Elabel", "No\u200Brth", "Two\nlines", "North\u2066", " ", ""])(
  "a partner cannot be named %j",
  async (name) => {
    await expect(upsertPartner(pool, somePartner({ id: "unseen", name }))).rejects.toThrow("partners_name_is_seen");
  },
);

test("a sealed value is opened once until it changes", async () => {
  const opened: string[] = [];
  const counting = {
    ...testSealer,
    open(...args: Parameters<typeof testSealer.open>) {
      const plain = testSealer.open(...args);
      opened.push(plain);
      return plain;
    },
  };
  const read = keyReader(counting, silentLog);
  await call("PUT", "/north/video", { placement: "first" });
  for (let nth = 0; nth < 3; nth++) await read(pool, [appId]);
  expect(opened).toEqual(['{"placement":"first"}']);
  await call("PUT", "/north/video", { placement: "second" });
  expect(await read(pool, [appId])).toMatchObject([{ keys: { placement: "second" } }]);
  await call("DELETE", "/north/video");
  expect(await read(pool, [appId])).toEqual([]);
  expect(opened).toEqual(['{"placement":"first"}', '{"placement":"second"}']);
});

test("a partner that needs no keys can be switched on with empty ones", async () => {
  expect((await call("PUT", "/north/video", {})).body.keys).toEqual({ north: { video: {} } });
  await call("DELETE", "/north/video");
});

test("keys that do not match the partner's schema are refused at their field", async () => {
  expect(await call("PUT", "/north/video", { placement: 7 })).toMatchObject({
    status: 400,
    body: { error: { placement: "This field must be text" } },
  });
  const many = Object.fromEntries(Array.from({ length: 9 }, (_, nth) => [`more${nth}`, "x".repeat(1900)]));
  expect(await call("PUT", "/north/video", { placement: "tv-12", ...many })).toEqual({
    status: 400,
    body: { error: { keys: "The keys can have at most 16,384 characters" } },
  });
  expect((await call("PUT", "/north/banner", {})).body.error).toBe("North does not buy this format");
  expect((await call("PUT", "/north/audio", {})).status).toBe(400);
  expect((await call("PUT", "/nobody/video", {})).status).toBe(404);
});

test("an account's keys have a limit on their bytes, and whoever is above it may only shorten them", async () => {
  await call("PUT", "/north/video", { placement: "tv-12" });
  await pool.query(
    `WITH full_app AS (INSERT INTO apps (account_id, name, bundle_id, platform) VALUES ($1, 'Full', 'full.example', 'roku') RETURNING id)
     INSERT INTO partner_keys (app_id, partner_id, format, sealed) SELECT id, 'north', 'video', $2 FROM full_app`,
    [accountId, Buffer.alloc(ACCOUNT_LIMITS.partnerKeyBytes)],
  );
  const error =
    "The keys of an account's apps at partners can have at most 10,000,000 bytes in total. Remove some first, or contact support.";
  expect(await call("PUT", "/north/video", { placement: "tv-123" })).toEqual({ status: 409, body: { error } });
  expect((await call("PUT", "/north/video", { placement: "tv-1" })).status).toBe(200);
  // Deleted apps do not count.
  await pool.query("UPDATE apps SET deleted_at = now() WHERE name = 'Full'");
  expect((await call("PUT", "/north/video", { placement: "tv-123" })).status).toBe(200);
});

test("another account's app is not there", async () => {
  expect((await call("GET", "", undefined, accountId + 1)).status).toBe(404);
  expect((await call("PUT", "/north/video", {}, accountId + 1)).status).toBe(404);
  expect((await call("DELETE", "/north/video", undefined, accountId + 1)).status).toBe(404);
});

test("plain keys of older versions are sealed at the next start and stay the same", async () => {
  await pool.query(
    `INSERT INTO partner_keys (app_id, partner_id, format, keys) VALUES ($1, 'south', 'banner', '{"seat": "plain-seat"}')`,
    [appId],
  );
  const before = await keyReader(testSealer, silentLog)(pool, [appId]);
  await sealPlainKeys(pool, testSealer);
  expect(await keyReader(testSealer, silentLog)(pool, [appId])).toEqual(before);
  const { rows } = await pool.query("SELECT row_to_json(partner_keys) AS row FROM partner_keys");
  expect(JSON.stringify(rows)).not.toContain("plain-seat");
  // A partner that the operator has removed is listed while the app has keys to remove.
  expect(Object.keys((await call("GET", "")).body.schemas)).toEqual(["north", "south"]);
});
