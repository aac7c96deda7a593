import { randomUUID } from "node:crypto";
import { addLineItem, type AppMediation, type LineItems, TEXTS } from "@millrace/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testStores } from "../../../platform/testing/stores.ts";
import { impression, keep } from "../../statistics/testing/some-rows.ts";
import { createApp } from "../index.ts";
import { appsServer, newAccount } from "../testing/apps-server.ts";

const stores = await testStores();
const { pool } = stores.pg;
let at: Awaited<ReturnType<typeof appsServer>>;
let owner: number;
let other: number;
let app: { id: number; uuid: string };

beforeAll(async () => {
  at = await appsServer(stores, { role: "SUSR" });
  owner = await newAccount(stores, "Owner");
  other = await newAccount(stores, "Other");
  app = await createApp(pool, owner, { name: "Puzzle", bundleId: "com.example.puzzle", platform: "android" });
});
afterAll(() => at.stop());

const ITEM = {
  name: "Cedar",
  format: "banner",
  zones: [],
  enabled: true,
  source: { kind: "html", html: "<p>Ad</p>", size: { w: 320, h: 50 } },
  prices: [{ country: null, price: 2_000_000 }],
  gvl_id: null,
};
const send = (method: "POST" | "PUT", path: string, body: unknown, accountId = owner) =>
  at.send(method, accountId, `/apps/${app.uuid}/line_items${path}`, body);
const remove = (uuid: string, accountId = owner) => at.remove(accountId, `/apps/${app.uuid}/line_items/${uuid}`);
const read = async () => (await at.get(owner, `/apps/${app.uuid}/line_items.json`)).body as LineItems;

test("a line item is added, edited, priced and deleted, each in the audit log, and the exchange is told", async () => {
  const before = await pool.query("SELECT xid::text FROM config_versions WHERE kind = 'app' AND id = $1", [
    String(app.id),
  ]);
  const added = await send("POST", "", ITEM);
  expect(added).toMatchObject({
    status: 200,
    body: {
      items: [
        {
          ...ITEM,
          // A stated price is believed within a factor of about two, and that of one country and platform a little less.
          expected: [{ country: null, price: 2_000_000, low: 110_039, high: 3_889_961 }],
          paid: 0,
          steps: { tried: 0, filled: 0 },
          yesterday: { impressions: 0, expected: 0, countries: {} },
        },
      ],
    },
  });
  const after = await pool.query("SELECT xid::text FROM config_versions WHERE kind = 'app' AND id = $1", [
    String(app.id),
  ]);
  expect(after.rows).not.toEqual(before.rows);
  const uuid = (added.body as LineItems).items[0]?.uuid ?? "";
  const changed = {
    ...ITEM,
    name: "Cedar two",
    enabled: false,
    zones: ["home"],
    prices: [{ country: "DE", price: 1 }],
    gvl_id: 755,
  };
  expect((await send("PUT", `/${uuid}`, changed)).body).toMatchObject({ items: [{ ...changed, uuid }] });
  expect((await remove(uuid)).body).toMatchObject({ items: [] });
  const { rows } = await pool.query<{ action: string }>("SELECT action FROM audit_log WHERE subject = $1 ORDER BY id", [
    app.uuid,
  ]);
  expect(rows.map(({ action }) => action)).toEqual([
    "app_line_item_added",
    "app_line_item_edited",
    "app_line_item_deleted",
  ]);
});

test("the audit log has what changed of a line item, not its prices, and nothing if nothing did", async () => {
  const countries = Array.from("ABCDEFGHIJ", (first) => Array.from("ABCDEFGHIJ", (second) => first + second)).flat();
  const prices = countries.map((country) => ({ country, price: 1_000_000 }));
  const long = { ...ITEM, name: "Long", zones: ["home"], prices };
  const added = await send("POST", "", long);
  const uuid = (added.body as LineItems).items.find(({ name }) => name === "Long")?.uuid ?? "";
  const logged = async () => {
    const { rows } = await pool.query<{ details: object }>(
      `SELECT details FROM audit_log WHERE subject = $1 AND action IN ('app_line_item_edited', 'app_line_prices_imported')
         AND (details ->> 'item' = $2 OR details -> 'items' ? $2) ORDER BY id`,
      [app.uuid, uuid],
    );
    return rows.map(({ details }) => details);
  };
  const content = `line_item,country,price\n${countries.map((country) => `long,${country},1`).join("\n")}\n`;
  expect((await send("PUT", `/${uuid}`, long)).status).toBe(200);
  expect((await send("POST", "/prices", { content })).status).toBe(200);
  expect(await logged()).toEqual([]);

  const dearer = { country: "AA", price: 2_000_000 };
  const source = { ...ITEM.source, html: "<p>Another ad</p>" };
  await send("PUT", `/${uuid}`, { ...long, zones: [], source, gvl_id: 755, prices: [dearer, ...prices.slice(1)] });
  await send("POST", "/prices", { content });
  expect(await logged()).toEqual([
    {
      item: uuid,
      gvl_id: 755,
      zones: { added: [], added_count: 0, removed: ["home"], removed_count: 1 },
      source_changed: true,
      prices: { added: [dearer], added_count: 1, removed: [prices[0]], removed_count: 1 },
    },
    { items: [uuid], items_count: 1 },
  ]);
  await remove(uuid);
});

test("a line item that is added or saved again after a lost reply is stored once, and does not clash with its own name", async () => {
  const key = randomUUID();
  const item = { ...ITEM, name: "Again" };
  const found = (items: unknown) => (items as LineItems).items.filter(({ name }) => name.startsWith("Again"));
  for (const sent of [key, key.toUpperCase()])
    expect(found((await send("POST", `?key=${sent}`, item)).body)).toHaveLength(1);
  expect(await send("POST", `?key=${key}`, { ...item, name: "Again 2" })).toMatchObject({ status: 409 });
  expect(await send("POST", `?key=${randomUUID()}`, item)).toMatchObject({ status: 400 });
  const [{ uuid, revision } = { uuid: "", revision: "" }] = found(await read());
  for (const _ of ["first", "again"])
    expect(await send("PUT", `/${uuid}?revision=${revision}`, { ...item, zones: ["home"] })).toMatchObject({
      status: 200,
    });
  expect(found(await read())).toMatchObject([{ uuid, zones: ["home"] }]);
  await remove(uuid);
  expect(await send("POST", `?key=${key}`, item)).toMatchObject({ status: 200 });
  await remove(uuid);
});

test("a save of a line item that somebody else has repriced meanwhile is refused, whoever saves at once", async () => {
  const name = "Shared";
  const found = (items: LineItems) => items.items.find((item) => item.name === name);
  const { uuid = "", revision = "" } = found((await send("POST", "", { ...ITEM, name })).body as LineItems) ?? {};
  const edit = (some: object, at?: string) =>
    send("PUT", `/${uuid}${at === undefined ? "" : `?revision=${at}`}`, { ...ITEM, name, ...some });
  const content = "line_item,country,price\nshared,,3\n";
  expect((await send("POST", "/prices", { content })).status).toBe(200);
  expect(await edit({ zones: ["home"] }, revision)).toMatchObject({ status: 409, body: { error: TEXTS.stale } });
  const prices = [{ country: null, price: 3_000_000 }];
  const now = found(await read());
  expect(now).toMatchObject({ zones: [], prices });
  const replies = await Promise.all(["home", "top"].map((zone) => edit({ zones: [zone], prices }, now?.revision)));
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  expect((await edit({})).status).toBe(200);
  expect(found(await read())).toMatchObject({ zones: [], prices: ITEM.prices });
  await remove(uuid);
});

test("nobody reads or changes another account's line items", async () => {
  const added = await send("POST", "", { ...ITEM, name: "Mine" });
  const { items } = added.body as LineItems;
  const uuid = items.find(({ name }) => name === "Mine")?.uuid ?? "";
  expect((await at.get(other, `/apps/${app.uuid}/line_items.json`)).status).toBe(404);
  expect((await send("POST", "", { ...ITEM, name: "Theirs" }, other)).status).toBe(404);
  expect((await send("PUT", `/${uuid}`, ITEM, other)).status).toBe(404);
  expect((await remove(uuid, other)).status).toBe(404);
  // An app of their own does not open it either.
  const theirs = await createApp(pool, other, { name: "Other", bundleId: "com.example.other", platform: "ios" });
  expect((await at.send("PUT", other, `/apps/${theirs.uuid}/line_items/${uuid}`, ITEM)).status).toBe(404);
  expect((await at.send("POST", other, `/apps/${theirs.uuid}/line_items?key=${uuid}`, ITEM)).status).toBe(200);
  expect((await read()).items.map(({ name }) => name)).toEqual(["Mine"]);
  await remove(uuid);
});

test.each<[object, Record<string, string>]>([
  [{ format: "video" }, { format: "This kind of line item does not fill this format" }],
  [{ source: { ...ITEM.source, size: null } }, { "source.size": "A banner has a size" }],
  [
    { source: { kind: "vast", url: "javascript:alert(1)" }, format: "video" },
    { "source.url": "Please enter a valid URL" },
  ],
  [{ prices: [] }, { prices: "Add a price" }],
  [{ prices: [{ country: null, price: 0 }] }, { "prices.0.price": "Must be above 0" }],
  [{ prices: [{ country: "de", price: 1 }] }, { "prices.0.country": "Use a country's two letters" }],
  [
    {
      prices: [
        { country: "DE", price: 1 },
        { country: "DE", price: 2 },
      ],
    },
    { prices: "A country is listed twice" },
  ],
  [{ source: { kind: "sdk", adapter: "../x", params: {} } }, { "source.adapter": "Use letters, digits and _.-" }],
  [{ name: "a\u202Eb" }, { name: "Use visible characters on one line" }],
])("a line item of %j is refused: %j", async (some, faults) => {
  expect(await send("POST", "", { ...ITEM, ...some })).toMatchObject({ status: 400, body: { error: faults } });
});

test("a name is used once, whatever its case, and an app has at most a hundred", async () => {
  await send("POST", "", ITEM);
  expect((await send("POST", "", { ...ITEM, name: "CEDAR" })).body).toEqual({
    error: { name: "Another line item has this name" },
  });
  const uuid = (await read()).items[0]?.uuid ?? "";
  expect((await send("PUT", `/${uuid}`, { ...ITEM, name: "CEDAR" })).status).toBe(200);
  await pool.query(
    `INSERT INTO line_items (app_id, name, format, zones, enabled, source, prices, created_at)
     SELECT app_id, 'Copy ' || nth, format, zones, enabled, source, prices, now() FROM line_items, generate_series(1, 99) AS nth
     WHERE app_id = $1`,
    [app.id],
  );
  expect((await send("POST", "", { ...ITEM, name: "One too many" })).body).toEqual({
    error: "An app has at most 100 line items",
  });
  await pool.query("DELETE FROM line_items WHERE app_id = $1", [app.id]);
});

test("prices are imported exactly, and replace those of the line items that the file names", async () => {
  await send("POST", "", ITEM);
  await send("POST", "", { ...ITEM, name: "Larch" });
  const content = "line_item;country;price\ncedar;US;2.123456\nCedar;;0.5\n";
  expect((await send("POST", "/prices", { content })).status).toBe(200);
  const prices = (await read()).items.map((item) => [item.name, item.prices]);
  expect(prices).toEqual([
    [
      "Cedar",
      [
        { country: "US", price: 2_123_456 },
        { country: null, price: 500_000 },
      ],
    ],
    ["Larch", ITEM.prices],
  ]);
});

test.each<[string, Record<string, string>]>([
  [
    "line_item,country,price\nCedar,US,1\nCedar,DE,free\n",
    { "line 3, price": "Use a price like 2.50, above 0 and at most 1000" },
  ],
  ["line_item,country,price\nCedar,US,1001\n", { "line 2, price": "Use a price like 2.50, above 0 and at most 1000" }],
  [
    "line_item,country,price\nCedar,US,1.0000001\n",
    { "line 2, price": "Use a price like 2.50, above 0 and at most 1000" },
  ],
  ["line_item,country,price\nCedar,Germany,1\n", { "line 2, country": "Use a country's two letters" }],
  ["line_item,country,price\nCedar,US,1\nCedar,us,2\n", { "line 3, country": "This country has a price above" }],
  ["line_item,country,price\nBirch,US,1\n", { "line 2, line_item": "There is no line item “Birch”" }],
  ["line_item,country\nCedar,US\n", { "line 1, price": "There is no such column" }],
  ["line_item,country,price\n", { "line 1, line_item": "There is no line below the head" }],
  ["line_item,country,price\nCedar,US\n", { "line 2, line": "This line has another number of fields than the head" }],
])("of %j not a price is taken, and the fault is named: %j", async (content, faults) => {
  const before = await read();
  expect(await send("POST", "/prices", { content })).toEqual({ status: 400, body: { error: faults } });
  expect(await read()).toEqual(before);
});

test("what line items and cross promotions showed is in no scorecard of partners", async () => {
  const shown = (provider: string) =>
    impression("2024-11-18T10:00:00Z", { app_id: app.id, provider, revenue_micros: 0, cost_micros: 0 });
  await keep(stores.clickhouse, { events: [shown("line-items"), shown("inhouse"), shown("gone")] });
  const path = `/apps/${app.uuid}/mediation.json?ds=2024-11-18&de=2024-11-18`;
  const { partners } = (await at.get(owner, path)).body as AppMediation;
  expect(partners.map(({ id }) => id)).toEqual(["gone"]);
});

test("a line item's figures of yesterday are its impressions, and what is expected of them in all and in each country", async () => {
  const shop = await createApp(pool, owner, { name: "Shop", bundleId: "com.example.shop", platform: "android" });
  const { rows } = await pool.query<{ id: number }>(
    `INSERT INTO line_items (app_id, name, format, zones, enabled, source, prices, created_at)
     VALUES ($1, 'Shown', 'banner', '{}', true, $2, $3, now()) RETURNING id`,
    [shop.id, ITEM.source, JSON.stringify(ITEM.prices)],
  );
  const { day } = await read();
  const shown = (country: string, expected_micros: number) =>
    impression(`${day}T10:00:00Z`, {
      app_id: shop.id,
      provider: "line-items",
      campaign_id: rows[0]?.id ?? 0,
      country,
      stated_micros: 2_000_000,
      expected_micros,
      revenue_micros: 0,
      cost_micros: 0,
    });
  const events = [shown("DE", 1_000_000), shown("DE", 3_000_000), shown("US", 2_000_000)];
  await keep(stores.clickhouse, { events });
  const { body } = await at.get(owner, `/apps/${shop.uuid}/line_items.json`);
  const yesterday = { impressions: 3, expected: 6000, countries: { DE: 4000, US: 2000 } };
  expect(body).toMatchObject({ items: [{ yesterday }] });
});

test("a well-formed line item is what the contract says", () => {
  expect(addLineItem.body.parse(ITEM)).toEqual(ITEM);
});
