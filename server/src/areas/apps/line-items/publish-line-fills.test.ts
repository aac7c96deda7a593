import { randomUUID } from "node:crypto";
import type { LineItems } from "@millrace/contract";
import { DAY_MS } from "@millrace/units";
import { afterAll, beforeEach, expect, test } from "vitest";
import { testStores } from "../../../platform/testing/stores.ts";
import { atSeconds, type PlayerEventRow } from "../../statistics/index.ts";
import { keep } from "../../statistics/testing/some-rows.ts";
import { createApp } from "../index.ts";
import { appsServer, newAccount } from "../testing/apps-server.ts";
import { LINE_FILL_TABLE, publishLineFills } from "./publish-line-fills.ts";

/** Noon of today, because the store forgets steps by its own clock. */
const NOW = Math.floor(Date.now() / DAY_MS) * DAY_MS + DAY_MS / 2;
const stores = await testStores();
const { pool } = stores.pg;
const at = await appsServer(stores, { now: () => NOW, role: "SUSR" });
let owner: number;
let app: { id: number; uuid: string };
let item: number;

beforeEach(async () => {
  owner = await newAccount(stores, `Owner ${randomUUID()}`);
  app = await createApp(pool, owner, { name: "Puzzle", bundleId: `com.example.${randomUUID()}`, platform: "android" });
  const { rows } = await pool.query<{ id: number }>(
    `INSERT INTO line_items (app_id, name, format, zones, enabled, source, prices, created_at)
     VALUES ($1, 'Cedar', 'banner', '{}', true, '{"kind":"sdk","adapter":"Cedar","params":{}}', '[{"country":null,"price":2000000}]', now())
     RETURNING id`,
    [app.id],
  );
  item = rows[0]?.id ?? 0;
});
afterAll(() => at.stop());

let devices = 0;
const step = (event: PlayerEventRow["event"], some: Partial<PlayerEventRow> = {}): PlayerEventRow => ({
  at: atSeconds(NOW - 1000),
  event,
  event_id: randomUUID(),
  auction_id: randomUUID(),
  app_id: app.id,
  zone: "main",
  format: "banner",
  country: "DE",
  platform: "android",
  provider: "line-items",
  creative: "",
  error_code: 0,
  device: String(++devices),
  campaign_id: item,
  demo: 0,
  ...some,
});
const steps = (count: number, event: PlayerEventRow["event"], some: Partial<PlayerEventRow> = {}) =>
  Array.from({ length: count }, () => step(event, some));
const told = (...player_events: PlayerEventRow[]) => keep(stores.clickhouse, { player_events });

async function skipsOf(): Promise<Record<string, boolean> | undefined> {
  await publishLineFills({ pool, statistics: at.statistics, clock: { now: () => NOW } });
  const { rows } = await pool.query<{ content: Record<string, Record<string, boolean>> }>(
    "SELECT content FROM learned_tables WHERE name = $1",
    [LINE_FILL_TABLE],
  );
  return rows[0]?.content[`line-items-${item}`];
}
const shown = async () =>
  ((await at.get(owner, `/apps/${app.uuid}/line_items.json`)).body as LineItems).items[0]?.steps;

test("an adapter that never has an ad in a country is skipped there, and tried where it has", async () => {
  await told(
    ...steps(900, "no_fill"),
    ...steps(300, "timed_out"),
    ...steps(1000, "no_fill", { country: "US" }),
    ...steps(1000, "filled", { country: "US" }),
  );
  expect(await skipsOf()).toEqual({ "banner/DE": true });
  expect(await shown()).toEqual({ tried: 3200, filled: 1000 });
});

test("an adapter that failed or that the app does not have teaches nothing, and neither do partners' players", async () => {
  await told(
    ...steps(2000, "failed"),
    ...steps(2000, "not_registered"),
    ...steps(2000, "no_fill", { provider: "aurora" }),
    ...steps(2000, "no_fill", { campaign_id: 0 }),
  );
  expect(await skipsOf()).toBeUndefined();
  expect(await shown()).toEqual({ tried: 0, filled: 0 });
});

test("a step counts once, however often it is told, and one that had an ad had one whatever else is told of it", async () => {
  const once = step("no_fill");
  await told(once, once);
  await told(once);
  const filled = step("filled");
  await told(filled, { ...filled, event: "no_fill", event_id: randomUUID() });
  expect(await shown()).toEqual({ tried: 2, filled: 1 });
});

test("thousands of outcomes from one device count ten times a day, and switch nothing off", async () => {
  await told(...steps(5000, "no_fill", { device: "7" }), ...steps(40, "filled"));
  expect(await shown()).toEqual({ tried: 50, filled: 40 });
  expect(await skipsOf()).toBeUndefined();
  await told(...steps(5000, "no_fill", { device: "7", at: atSeconds(NOW - DAY_MS) }));
  expect(await shown()).toEqual({ tried: 60, filled: 40 });
});

test("old outcomes weigh less, and are forgotten after ten days", async () => {
  await told(...steps(1500, "no_fill", { at: atSeconds(NOW - 4 * DAY_MS) }));
  // 1,500 tries of four days ago are as many as 595 of today, and 1,000 are needed.
  expect(await skipsOf()).toBeUndefined();
  await told(...steps(500, "no_fill"));
  expect(await skipsOf()).toEqual({ "": true });
  await told(...steps(3000, "filled", { at: atSeconds(NOW - 11 * DAY_MS) }));
  expect(await shown()).toEqual({ tried: 2000, filled: 0 });
});

test("one device's ten steps a day are those in all countries and formats together", async () => {
  await told(...["DE", "US", "FR", "GB", "JP"].flatMap((country) => steps(500, "no_fill", { device: "8", country })));
  expect(await shown()).toEqual({ tried: 10, filled: 0 });
});

test("with another placement at the seller, an adapter is tried again, and what was told before teaches nothing", async () => {
  await told(...steps(1200, "no_fill"));
  expect(await skipsOf()).toEqual({ "": true });
  const { body } = await at.get(owner, `/apps/${app.uuid}/line_items.json`);
  const { uuid, source, name, format, zones, enabled, prices, gvl_id } = (body as LineItems).items[0]!;
  const fields = { name, format, zones, enabled, prices, gvl_id };
  const save = (params: object) =>
    at.send("PUT", owner, `/apps/${app.uuid}/line_items/${uuid}`, { ...fields, source: { ...source, params } });
  await save({});
  expect(await shown()).toEqual({ tried: 1200, filled: 0 });
  await save({ placement: "right" });
  expect(await shown()).toEqual({ tried: 0, filled: 0 });
  expect(await skipsOf()).toBeUndefined();
  await told(...steps(5, "filled", { at: atSeconds(NOW + 1000) }));
  expect(await shown()).toEqual({ tried: 5, filled: 5 });
});

test("outcomes that a tag's player reports as a step are not shown for the tag", async () => {
  await pool.query(`UPDATE line_items SET source = '{"kind":"html","html":"<b>ad</b>","size":null}' WHERE id = $1`, [
    item,
  ]);
  await told(...steps(3, "no_fill"));
  expect(await shown()).toEqual({ tried: 0, filled: 0 });
});
