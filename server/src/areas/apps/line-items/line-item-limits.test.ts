import { ACCOUNT_LIMITS, type LineItems } from "@millrace/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testStores } from "../../../platform/testing/stores.ts";
import { createApp } from "../index.ts";
import { appsServer, newAccount } from "../testing/apps-server.ts";

const stores = await testStores();
const { pool } = stores.pg;
let at: Awaited<ReturnType<typeof appsServer>>;
let owner: number;

beforeAll(async () => {
  at = await appsServer(stores, { role: "SUSR" });
  owner = await newAccount(stores, "Owner");
});
afterAll(() => at.stop());

const newApp = (name: string) =>
  createApp(pool, owner, { name, bundleId: `com.example.${name.toLowerCase()}`, platform: "android" });
const htmlOf = (length: number) => `<p>${"a".repeat(length)}</p>`;
const itemOf = (name: string, length: number) => ({
  name,
  format: "banner",
  zones: [],
  enabled: true,
  source: { kind: "html", html: htmlOf(length), size: { w: 320, h: 50 } },
  prices: [{ country: null, price: 2_000_000 }],
  gvl_id: null,
});

test("the line items of an account have a limit on their length, and whoever is above it may only shorten them", async () => {
  const [full, next] = [await newApp("Full"), await newApp("Next")];
  const each = 30_000;
  const add = (body: object) => at.send("POST", owner, `/apps/${next.uuid}/line_items`, body);
  const added = await add(itemOf("Cedar", 1000));
  expect(added.status).toBe(200);
  const uuid = (added.body as LineItems).items[0]?.uuid ?? "";
  await pool.query(
    `INSERT INTO line_items (app_id, name, format, zones, enabled, source, prices, created_at)
     SELECT $1, 'Long ' || nth, 'banner', '{}', true, $2, '[{"country": null, "price": 1}]', now() FROM generate_series(1, $3) AS nth`,
    [full.id, { kind: "html", html: htmlOf(each) }, Math.floor(ACCOUNT_LIMITS.lineItemCharacters / each)],
  );
  const refused = {
    status: 409,
    body: {
      error:
        "The tags, prices and zones of the line items of an account can have at most 20,000,000 characters in total. Remove some first, or contact support.",
    },
  };
  const edit = (body: object) => at.send("PUT", owner, `/apps/${next.uuid}/line_items/${uuid}`, body);
  const importPrices = (content: string) =>
    at.send("POST", owner, `/apps/${next.uuid}/line_items/prices`, { content: `line_item,country,price\n${content}` });
  expect(await add(itemOf("Larch", 1))).toEqual(refused);
  expect(await edit(itemOf("Cedar", 1001))).toEqual(refused);
  expect(await importPrices("Cedar,US,1\nCedar,DE,1\n")).toEqual(refused);
  expect(await edit(itemOf("Pine", 999))).toMatchObject({ status: 200, body: { items: [{ name: "Pine" }] } });
  expect((await importPrices("Pine,,1\n")).status).toBe(200);
  // Line items of deleted apps do not count.
  await pool.query("UPDATE apps SET deleted_at = now() WHERE id = $1", [full.id]);
  expect((await edit(itemOf("Pine", 30_000))).status).toBe(200);
});
