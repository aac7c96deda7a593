import type { RtbExt } from "@millrace/contract";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildServer } from "../../platform/http/build-server.ts";
import { silentLog } from "../../platform/log.ts";
import { someCaller } from "../../platform/testing/some-caller.ts";
import { testStores } from "../../platform/testing/stores.ts";
import { testSealer } from "../../platform/testing/test-sealer.ts";
import { demandPartnersArea, listAllKeys, sealPlainKeys, upsertPartner } from "./index.ts";

const { pg } = await testStores();
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
  const base = { kind: "openrtb", gvl_id: null, openrtb_version: "2.6", gzip: false, active: true, demo: false };
  await upsertPartner(pool, {
    ...base,
    id: "north",
    name: "North",
    endpoint: "https://n.example",
    media_types: ["video"],
  });
  await upsertPartner(pool, {
    ...base,
    id: "south",
    name: "South",
    endpoint: "https://s.example",
    media_types: ["banner", "native"],
    active: false,
  });
  server = await buildServer({
    log: silentLog,
    trustedProxies: 0,
    authenticate: async (request) => someCaller({ accountId: Number(request.headers["x-account"] ?? accountId) }),
  });
  demandPartnersArea({
    pool,
    clock: { now: () => Date.now() },
    sealer: testSealer,
    publicUrl: "https://ads.example.com",
    contactEmail: "ads@example.com",
    revenueByPartner: async () => new Map(),
    findApp: async (account, uuid) =>
      account === accountId && uuid === APP
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

test("the forms of active partners are there, each with the formats it buys", async () => {
  const { body } = await call("GET", "");
  expect(Object.keys(body.schemas)).toEqual(["north"]);
  expect(body.schemas["north"]).toMatchObject({
    dsp_name: "North",
    formats: ["video"],
    keys_schema: { type: "object", required: [], properties: { placement: { type: "string", title: "Placement ID" } } },
  });
  expect([body.keys, body.app.name]).toEqual([{}, "TV"]);
});

test("keys are set, changed, shown again and removed; the store never reads them", async () => {
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

test("empty keys are keys: a partner that needs none can be switched on", async () => {
  expect((await call("PUT", "/north/video", {})).body.keys).toEqual({ north: { video: {} } });
  await call("DELETE", "/north/video");
});

test("what does not fit the partner is refused by its field", async () => {
  expect(await call("PUT", "/north/video", { placement: 7 })).toMatchObject({
    status: 400,
    body: { error: { placement: "This field must be text" } },
  });
  expect((await call("PUT", "/north/banner", {})).body.error).toBe("North does not buy this format");
  expect((await call("PUT", "/north/audio", {})).status).toBe(400);
  expect((await call("PUT", "/nobody/video", {})).status).toBe(404);
});

test("another account's app is not there", async () => {
  expect((await call("GET", "", undefined, accountId + 1)).status).toBe(404);
  expect((await call("PUT", "/north/video", {}, accountId + 1)).status).toBe(404);
  expect((await call("DELETE", "/north/video", undefined, accountId + 1)).status).toBe(404);
});

test("keys of before they were sealed are sealed at the next start, and mean the same", async () => {
  await pool.query(
    `INSERT INTO partner_keys (app_id, partner_id, format, keys) VALUES ($1, 'south', 'banner', '{"seat": "plain-seat"}')`,
    [appId],
  );
  const before = await listAllKeys(pool, testSealer);
  await sealPlainKeys(pool, testSealer);
  expect(await listAllKeys(pool, testSealer)).toEqual(before);
  const { rows } = await pool.query("SELECT row_to_json(partner_keys) AS row FROM partner_keys");
  expect(JSON.stringify(rows)).not.toContain("plain-seat");
  // A partner that the operator has taken out shows where there are keys to remove.
  expect(Object.keys((await call("GET", "")).body.schemas)).toEqual(["north", "south"]);
});
