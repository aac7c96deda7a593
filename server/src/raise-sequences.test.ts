import { expect, test, vi } from "vitest";
import { type Log, silentLog } from "./platform/log.ts";
import { testStores } from "./platform/testing/stores.ts";
import { raiseSequences } from "./raise-sequences.ts";

const { pg, clickhouse } = await testStores();
const nextOf = async (table: string): Promise<number> => {
  const { rows } = await pg.pool.query<{ id: string }>("SELECT nextval(pg_get_serial_sequence($1, 'id')) AS id", [
    table,
  ]);
  return Number(rows[0]?.id);
};
const insert = (table: string, row: object) => clickhouse.write.insert({ table, values: [row], format: "JSONEachRow" });
const warn = vi.fn<Log["warn"]>();
const raise = () => raiseSequences(pg.pool, clickhouse.write, { ...silentLog, warn });

test("ids of rows that only ClickHouse has are never given again, and a start that changes that says so", async () => {
  await raise();
  expect(warn).not.toHaveBeenCalled();
  const at = "2026-11-19 10:00:00";
  await insert("auctions", { at, app_id: 510 });
  await insert("events", { at, kind: "impression", app_id: 502, campaign_id: 71, creative_id: 93 });
  await insert("campaign_misses", { at, campaign_id: 72, auctions: 1 });
  await Promise.all([raise(), raise()]);
  expect(warn.mock.calls.map(([what]) => what)).toEqual([
    { table: "apps", id: 510 },
    { table: "campaigns", id: 72 },
    { table: "creatives", id: 93 },
  ]);
  expect(await Promise.all(["apps", "campaigns", "creatives"].map(nextOf))).toEqual([511, 73, 94]);
  // What PostgreSQL has given since is newer.
  await raise();
  expect(warn).toHaveBeenCalledTimes(3);
  expect(await nextOf("apps")).toBe(512);
});

test("ids of line items, which are campaigns' too, count", async () => {
  const before = await nextOf("campaigns");
  await insert("line_items_hourly", { app_id: 1, line_item_id: before + 40, impressions: 1 });
  await raise();
  expect(await nextOf("campaigns")).toBe(before + 41);
});
