import { PRICE_HALF_LIFE_MS } from "@millrace/learning";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testStores } from "../../../platform/testing/stores.ts";
import { impression, keep } from "../../statistics/testing/some-rows.ts";
import { createApp } from "../index.ts";
import { appsServer, newAccount } from "../testing/apps-server.ts";
import { LINE_PRICE_TABLE, publishLinePrices } from "./publish-line-prices.ts";

const NOW = Date.parse("2026-11-24T12:00:00Z");
const stores = await testStores();
const { pool } = stores.pg;
let at: Awaited<ReturnType<typeof appsServer>>;
let appId: number;
let ids: number[];

beforeAll(async () => {
  at = await appsServer(stores, { now: () => NOW });
  const app = await createApp(pool, await newAccount(stores, "Owner"), {
    name: "Puzzle",
    bundleId: "com.example.puzzle",
    platform: "android",
  });
  appId = app.id;
  const { rows } = await pool.query<{ id: number }>(
    `INSERT INTO line_items (app_id, name, format, zones, enabled, source, prices, created_at)
     SELECT $1, name, 'banner', '{}', true, '{"kind":"sdk","adapter":"Cedar","params":{}}', prices::jsonb, now()
     FROM (VALUES ('Learned', '[{"country":null,"price":2000000},{"country":"US","price":4000000}]'),
       ('Untold', '[{"country":null,"price":2000000}]')) AS items (name, prices) RETURNING id`,
    [app.id],
  );
  ids = rows.map(({ id }) => id);
});
afterAll(() => at.stop());

const impressions = (
  count: number,
  some: { item?: number; country?: string; paid?: number; ageMs?: number; invalid?: string },
) =>
  Array.from({ length: count }, () =>
    impression(new Date(NOW - (some.ageMs ?? 0)).toISOString(), {
      app_id: appId,
      provider: "line-items",
      campaign_id: some.item ?? ids[0] ?? 0,
      country: some.country ?? "DE",
      stated_micros: 2_000_000,
      expected_micros: 2_000_000,
      paid_micros: some.paid ?? 0,
      paid_told: some.paid === undefined ? 0 : 1,
      revenue_micros: 0,
      cost_micros: 0,
      ...(some.invalid !== undefined && { invalid: some.invalid }),
    }),
  );

async function published() {
  await publishLinePrices({ pool, statistics: at.statistics, clock: { now: () => NOW } });
  const { rows } = await pool.query<{ version: string; content: Record<string, Record<string, { mean: number }>> }>(
    "SELECT version, content FROM learned_tables WHERE name = $1",
    [LINE_PRICE_TABLE],
  );
  return rows[0];
}

test("a line item's price follows what its impressions paid, by country, and one that tells nothing keeps what is stated", async () => {
  expect((await published())?.content).toEqual({});
  await keep(stores.clickhouse, {
    events: [
      ...impressions(400, { paid: 1_000_000 }),
      ...impressions(400, { paid: 6_000_000, country: "US" }),
      ...impressions(400, { item: ids[1] ?? 0 }),
      // What does not count teaches nothing.
      ...impressions(400, { item: ids[1] ?? 0, paid: 9_000_000, invalid: "test" }),
    ],
  });
  const learned = await published();
  expect(Object.keys(learned?.content ?? {})).toEqual([`line-items-${ids[0]}`]);
  const factors = learned?.content[`line-items-${ids[0]}`];
  // Half of the $2 stated everywhere, and 1.5 times the $4 stated in the US.
  expect(factors?.["banner/DE"]?.mean).toBeCloseTo(0.5, 1);
  expect(factors?.["banner/US"]?.mean).toBeCloseTo(1.5, 1);
  expect((await published())?.version).toBe(learned?.version);
});

test("impressions of which a seller's SDK told that they paid nothing lower the price", async () => {
  await keep(stores.clickhouse, {
    events: [...impressions(300, { paid: 2_000_000, country: "IT" }), ...impressions(300, { paid: 0, country: "IT" })],
  });
  expect((await published())?.content[`line-items-${ids[0]}`]?.["banner/IT"]?.mean).toBeCloseTo(0.5, 1);
});

test("newer impressions weigh more, and those of the last hours soon outweigh all before", async () => {
  await keep(stores.clickhouse, {
    events: [
      ...impressions(300, { paid: 4_000_000, country: "FR", ageMs: 4 * PRICE_HALF_LIFE_MS }),
      ...impressions(300, { paid: 1_000_000, country: "FR" }),
    ],
  });
  const mean = (await published())?.content[`line-items-${ids[0]}`]?.["banner/FR"]?.mean ?? 0;
  // (300/16 × 2 + 300 × 0.5) / (300/16 + 300) is 0.59.
  expect(mean).toBeGreaterThan(0.5);
  expect(mean).toBeLessThan(0.7);
});
