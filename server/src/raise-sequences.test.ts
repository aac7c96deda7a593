import { expect, test, vi } from "vitest";
import { keepInvoiceNumbers } from "./invoice-numbers.ts";
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

test("numbers of documents that only ClickHouse knows are never given again, and a start that changes that says so", async () => {
  const numbers = async () => (await pg.pool.query("SELECT * FROM invoice_numbers ORDER BY series, year")).rows;
  const keep = keepInvoiceNumbers(clickhouse.write);
  const issued = [
    { series: "invoice", year: 2025, last: 7 },
    { series: "invoice", year: 2026, last: 12 },
    { series: "self_billed", year: 2026, last: 3 },
  ];
  await pg.pool.query("INSERT INTO invoice_numbers VALUES ('invoice', 2025, 7), ('invoice', 2026, 9)");
  await keep([{ series: "invoice", year: 2026, last: 11 }]);
  await keep(issued);
  await keep([{ series: "invoice", year: 2026, last: 10 }]);
  warn.mockClear();
  await raise();
  expect(await numbers()).toEqual(issued);
  expect(warn.mock.calls.map(([what]) => what)).toEqual(issued.slice(1));
  // What PostgreSQL has given since is newer.
  await pg.pool.query("UPDATE invoice_numbers SET last = last + 1");
  await raise();
  expect(await numbers()).toEqual(issued.map(({ last, ...series }) => ({ ...series, last: last + 1 })));
  expect(warn).toHaveBeenCalledTimes(2);
});

test("ids of line items, which are campaigns' too, count", async () => {
  const before = await nextOf("campaigns");
  await insert("line_items_hourly", { app_id: 1, line_item_id: before + 40, impressions: 1 });
  await raise();
  expect(await nextOf("campaigns")).toBe(before + 41);
});
