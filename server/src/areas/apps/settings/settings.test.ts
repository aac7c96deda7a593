import { ACCOUNT_LIMITS, type AppSettings } from "@millrace/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testStores } from "../../../platform/testing/stores.ts";
import { testSealer } from "../../../platform/testing/test-sealer.ts";
import { appPartners, setPartnerKeys, switchPartnerKeys, upsertPartner } from "../../demand-partners/index.ts";
import { somePartner } from "../../../testing/some-partner.ts";
import { createApp } from "../index.ts";
import { appsServer, newAccount } from "../testing/apps-server.ts";

const stores = await testStores();
const { pool } = stores.pg;
let at: Awaited<ReturnType<typeof appsServer>>;
let owner: number;
let other: number;
let app: { id: number; uuid: string };

beforeAll(async () => {
  at = await appsServer(stores, {
    role: "SUSR",
    partnersOf: (accountId, appId) => appPartners({ pool, sealer: testSealer }, accountId, appId),
    switchPartner: switchPartnerKeys,
  });
  owner = await newAccount(stores, "Owner");
  other = await newAccount(stores, "Other");
  app = await createApp(pool, owner, { name: "Puzzle", bundleId: "com.example.puzzle", platform: "android" });
  await pool.query("INSERT INTO zones (app_id, zone, name, format) VALUES ($1, 'home', 'home', 'banner')", [app.id]);
  await upsertPartner(pool, somePartner({ id: "north", media_types: ["banner", "video"] }));
});
afterAll(() => at.stop());

const put = (accountId: number, path: string, body: unknown) =>
  at.send("PUT", accountId, `/apps/${app.uuid}/${path}`, body);
const read = async () => (await at.get(owner, `/apps/${app.uuid}/settings.json`)).body as AppSettings;

test("a new app has its zones, all partners without keys, and nothing blocked", async () => {
  expect(await read()).toMatchObject({
    app: { uuid: app.uuid, name: "Puzzle" },
    flags: { kids: false, adult: false, is_gaming: false, only_image: false, muted: false },
    learning: { skip_partners: false, exploration: 5 },
    zones: [{ zone: "home", name: "home", format: "banner", refresh_seconds: 30 }],
    partners: [{ id: "north", formats: ["video", "banner"], keyed: [], enabled: false, active: true }],
    floors: [],
    blocks: { categories: [], domains: [] },
    test_devices: [],
  });
});

test("floors are replaced together, exact to the micro-dollar, and duplicates are refused", async () => {
  const floors = [
    { country: null, format: null, floor: 250_000 },
    { country: "DE", format: "rewarded", floor: 12_345_678 },
  ];
  expect((await put(owner, "floors", { floors })).body).toMatchObject({ floors });
  const twice = [...floors, { country: "DE", format: "rewarded", floor: 1 }];
  expect(await put(owner, "floors", { floors: twice })).toEqual({
    status: 400,
    body: { error: { floors: "A country and format are listed twice" } },
  });
  expect((await put(owner, "floors", { floors: [{ country: null, format: null, floor: -1 }] })).status).toBe(400);
  expect((await read()).floors).toEqual(floors);
});

test("of two simultaneous replacements of floors one is stored completely", async () => {
  const sets = Array.from({ length: 8 }, (_, nth) =>
    ["DE", "FR", "US"].map((country) => ({ country, format: null, floor: nth + 1 })),
  );
  await Promise.all(sets.map((floors) => put(owner, "floors", { floors })));
  const found = (await read()).floors.map(({ floor }) => floor);
  expect(found).toHaveLength(3);
  expect(new Set(found).size).toBe(1);
});

test("blocks, test devices and flags are stored in lower case without duplicates", async () => {
  await put(owner, "blocks", { categories: ["IAB7-39", "IAB7-39"], domains: ["Bad.Example"] });
  await put(owner, "test_devices", { devices: ["6F9619FF-8B86-4D01-B42D-00CF4FC964FF"] });
  const flags = { kids: true, adult: false, is_gaming: true, only_image: true, muted: true };
  await put(owner, "flags", flags);
  expect(await read()).toMatchObject({
    blocks: { categories: ["IAB7-39"], domains: ["bad.example"] },
    test_devices: ["6f9619ff-8b86-4d01-b42d-00cf4fc964ff"],
    flags,
  });
});

test.each([
  ["blocks", { categories: ["Alcohol"], domains: [] }, "categories.0"],
  ["blocks", { categories: [], domains: ["no domain"] }, "domains.0"],
  ["test_devices", { devices: ["my phone"] }, "devices.0"],
  ["flags", { kids: true, adult: true, is_gaming: false, only_image: false, muted: false }, "adult"],
  ["zones/home", { name: " ", refresh_seconds: 30 }, "name"],
  ["zones/home", { name: "Ho\u202Eme", refresh_seconds: 30 }, "name"],
  ["zones/home", { name: "Home", refresh_seconds: 9 }, "refresh_seconds"],
  ["floors", { floors: [{ country: "Germany", format: null, floor: 1 }] }, "floors.0.country"],
])("%s with %j is refused at its field", async (path, body, field) => {
  const { status, body: reply } = await put(owner, path, body);
  expect([status, Object.keys((reply as { error: object }).error)]).toEqual([400, [field]]);
});

test.each([
  ["roku", ["kids", "muted", "is_gaming"]],
  ["amazon", ["kids", "muted", "is_gaming"]],
  ["ios", ["is_gaming"]],
  ["android", []],
] as const)("an app for %s refuses flags that its platform does not have: %j", async (platform, refused) => {
  const { uuid } = await createApp(pool, owner, { name: "Other", bundleId: "", platform });
  const none = { kids: false, adult: false, is_gaming: false, only_image: false, muted: false };
  for (const flag of ["kids", "adult", "is_gaming", "only_image", "muted"] as const) {
    const { status, body } = await at.send("PUT", owner, `/apps/${uuid}/flags`, { ...none, [flag]: true });
    const isRefused = (refused as readonly string[]).includes(flag);
    expect([flag, status]).toEqual([flag, isRefused ? 400 : 200]);
    if (isRefused) expect(Object.keys((body as { error: object }).error)).toEqual([flag]);
  }
});

test("a zone gets a name and a refresh time, and an unknown zone is not found", async () => {
  const changed = await put(owner, "zones/home", { name: "<b>Home</b> screen", refresh_seconds: 45 });
  expect(changed.body).toMatchObject({ zones: [{ zone: "home", name: "<b>Home</b> screen", refresh_seconds: 45 }] });
  expect((await put(owner, "zones/none", { name: "x", refresh_seconds: 45 })).status).toBe(404);
});

test("a partner with keys is switched, and keeps its keys", async () => {
  expect((await put(owner, "partners/north", { enabled: true })).status).toBe(404);
  const keys = {
    app_id: app.id,
    partner_id: "north",
    format: "banner",
    keys: { placement: "p" },
    enabled: true,
  } as const;
  await setPartnerKeys(pool, testSealer, owner, keys);
  expect((await put(owner, "partners/north", { enabled: false })).body).toMatchObject({
    partners: [{ id: "north", keyed: ["banner"], enabled: false }],
  });
  expect((await put(owner, "partners/north", { enabled: true })).body).toMatchObject({ partners: [{ enabled: true }] });
});

test("another account's app can neither be read nor changed", async () => {
  expect((await at.get(other, `/apps/${app.uuid}/settings.json`)).status).toBe(404);
  for (const [path, body] of [
    ["floors", { floors: [] }],
    ["blocks", { categories: [], domains: [] }],
    ["test_devices", { devices: [] }],
    ["zones/home", { name: "Mine", refresh_seconds: 30 }],
    ["partners/north", { enabled: false }],
  ] as const) {
    expect((await put(other, path, body)).status).toBe(404);
  }
});

const deleteZone = (accountId: number, uuid: string, zone: string) =>
  at.remove(accountId, `/apps/${uuid}/zones/${zone}`);

const acts = async (uuid = app.uuid) => {
  const { rows } = await pool.query<{ action: string; details: object; address: string | null }>(
    "SELECT action, details, host(address) AS address FROM audit_log WHERE subject = $1 ORDER BY id",
    [uuid],
  );
  return rows;
};

test("every change is in the audit log with its address and without device ids", async () => {
  const rows = await acts();
  expect(rows.map(({ action }) => action)).toEqual(expect.arrayContaining(["app_floors_set", "app_blocks_set"]));
  expect(JSON.stringify(rows)).not.toContain("6f9619ff");
  expect(new Set(rows.map(({ address }) => address))).toEqual(new Set(["127.0.0.1"]));
});

test("an audit entry has the changes only, and there is none without a change", async () => {
  const { id, uuid } = await createApp(pool, owner, {
    name: "Diff",
    bundleId: "com.example.diff",
    platform: "android",
  });
  await pool.query("INSERT INTO zones (app_id, zone, name, format) VALUES ($1, 'menu', 'menu', 'banner')", [id]);
  const change = (path: string, body: unknown) => at.send("PUT", owner, `/apps/${uuid}/${path}`, body);
  const domains = Array.from({ length: 500 }, (_, nth) => `shop${nth}.example`);
  await change("blocks", { categories: [], domains });
  await change("blocks", { categories: ["IAB7"], domains: domains.slice(1) });
  await change("blocks", { categories: ["IAB7"], domains: domains.slice(1) });
  const floor = { country: "DE", format: null };
  await change("floors", { floors: [{ ...floor, floor: 1 }] });
  await change("floors", { floors: [{ ...floor, floor: 2 }] });
  await change("flags", { kids: false, adult: false, is_gaming: false, only_image: false, muted: true });
  await change("zones/menu", { name: "Menu", refresh_seconds: 30 });
  await change("test_devices", { devices: ["6F9619FF-8B86-4D01-B42D-00CF4FC964FF"] });
  const rows = await acts(uuid);
  expect(rows.map(({ details }) => details)).toEqual([
    { domains: { added: domains.slice(0, 20), added_count: 500, removed: [], removed_count: 0 } },
    {
      categories: { added: ["IAB7"], added_count: 1, removed: [], removed_count: 0 },
      domains: { added: [], added_count: 0, removed: ["shop0.example"], removed_count: 1 },
    },
    { added: [{ ...floor, floor: 1 }], added_count: 1, removed: [], removed_count: 0 },
    { added: [{ ...floor, floor: 2 }], added_count: 1, removed: [{ ...floor, floor: 1 }], removed_count: 1 },
    { muted: true },
    { zone: "menu", name: "Menu" },
    { added_count: 1, removed_count: 0 },
  ]);
});

test("a zone is deleted with an audit entry, and another account's is not found", async () => {
  const { id, uuid } = await createApp(pool, owner, {
    name: "Zones",
    bundleId: "com.example.zones",
    platform: "android",
  });
  await pool.query(
    "INSERT INTO zones (app_id, zone, name, format) VALUES ($1, 'top', 'Top', 'banner'), ($1, 'end', 'End', 'video')",
    [id],
  );
  expect((await deleteZone(other, uuid, "top")).status).toBe(404);
  const { status, body } = await deleteZone(owner, uuid, "top");
  expect([status, (body as AppSettings).zones.map(({ zone }) => zone)]).toEqual([200, ["end"]]);
  expect((await deleteZone(owner, uuid, "top")).status).toBe(404);
  expect(await acts(uuid)).toEqual([{ action: "app_zone_deleted", details: { zone: "top" }, address: "127.0.0.1" }]);
  // The other app's zone of the same name is not deleted.
  expect((await deleteZone(owner, uuid, "home")).status).toBe(404);
  expect((await read()).zones).toHaveLength(1);
});

test("a change whose audit entry fails is rolled back", async () => {
  const before = await read();
  await pool.query("ALTER TABLE audit_log RENAME TO audit_log_away");
  try {
    for (const [path, body] of [
      ["floors", { floors: [{ country: "FR", format: null, floor: 9 }] }],
      ["blocks", { categories: ["IAB9"], domains: [] }],
      ["test_devices", { devices: [] }],
      ["flags", { kids: false, adult: false, is_gaming: false, only_image: false, muted: false }],
      ["zones/home", { name: "Unrecorded", refresh_seconds: 60 }],
      ["partners/north", { enabled: false }],
    ] as const) {
      expect([path, (await put(owner, path, body)).status]).toEqual([path, 500]);
    }
    expect((await deleteZone(owner, app.uuid, "home")).status).toBe(500);
  } finally {
    await pool.query("ALTER TABLE audit_log_away RENAME TO audit_log");
  }
  expect(await read()).toEqual(before);
});

test("all apps of an account together have limits, and removing is never refused", async () => {
  const crowd = await newAccount(stores, "Crowd");
  const full = await createApp(pool, crowd, { name: "Full", bundleId: "com.example.full", platform: "android" });
  const next = await createApp(pool, crowd, { name: "Next", bundleId: "com.example.next", platform: "android" });
  const gone = await createApp(pool, crowd, { name: "Gone", bundleId: "com.example.gone", platform: "android" });
  const fill = async (id: number) => {
    await pool.query(
      "INSERT INTO floors (app_id, country, floor_micros) SELECT $1, 'X' || n, 1 FROM generate_series(1, $2) n",
      [id, ACCOUNT_LIMITS.floors],
    );
    await pool.query(
      `UPDATE apps SET blocked_domains = ARRAY(SELECT 'shop' || n || '.example' FROM generate_series(1, $2) n),
         test_devices = ARRAY(SELECT gen_random_uuid()::text FROM generate_series(1, $3)) WHERE id = $1`,
      [id, ACCOUNT_LIMITS.blocks, ACCOUNT_LIMITS.testDevices],
    );
  };
  await fill(gone.id);
  await pool.query("UPDATE apps SET deleted_at = now() WHERE id = $1", [gone.id]);
  const change = (uuid: string, path: string, body: unknown) => at.send("PUT", crowd, `/apps/${uuid}/${path}`, body);
  const floors = { floors: [{ country: "DE", format: null, floor: 1 }] };
  const blocks = { categories: ["IAB7"], domains: ["shop.example"] };
  const devices = { devices: ["6F9619FF-8B86-4D01-B42D-00CF4FC964FF"] };
  // Deleted apps do not count.
  for (const [path, body] of [
    ["floors", floors],
    ["blocks", blocks],
    ["test_devices", devices],
  ] as const) {
    expect((await change(next.uuid, path, body)).status).toBe(200);
    await change(
      next.uuid,
      path,
      { floors: { floors: [] }, blocks: { categories: [], domains: [] }, test_devices: { devices: [] } }[path],
    );
  }
  await fill(full.id);
  for (const [path, body, sentence] of [
    ["floors", floors, "The apps of an account can have at most 10,000 floors in total."],
    ["blocks", blocks, "The apps of an account can have at most 10,000 blocked categories and domains in total."],
    ["test_devices", devices, "The apps of an account can have at most 500 test devices in total."],
  ] as const) {
    const { status, body: reply } = await change(next.uuid, path, body);
    expect([status, reply]).toEqual([409, { error: `${sentence} Remove some first, or contact support.` }]);
  }
  expect((await change(full.uuid, "floors", floors)).status).toBe(200);
  expect((await change(next.uuid, "floors", floors)).status).toBe(200);
});

test("skipping of partners is off until its owner switches it on, and others cannot", async () => {
  expect(await put(other, "learning", { skip_partners: true, exploration: 5 })).toMatchObject({ status: 404 });
  expect(await put(owner, "learning", { skip_partners: "yes", exploration: 5 })).toMatchObject({ status: 400 });
  expect((await read()).learning).toEqual({ skip_partners: false, exploration: 5 });
  expect(await put(owner, "learning", { skip_partners: true, exploration: 51 })).toMatchObject({ status: 400 });
  await put(owner, "learning", { skip_partners: true, exploration: 20 });
  expect((await read()).learning).toEqual({ skip_partners: true, exploration: 20 });
  const log = "SELECT details FROM audit_log WHERE action = 'app_learning_set' AND subject = $1";
  expect((await pool.query(log, [app.uuid])).rows).toEqual([{ details: { skip_partners: true, exploration: 20 } }]);
});
