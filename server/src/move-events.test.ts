import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ClickHouseClient } from "@clickhouse/client";
import { afterAll, expect, test, vi } from "vitest";
import { moveEvents } from "./move-events.ts";
import { connectClickHouse } from "./platform/clickhouse/connect-clickhouse.ts";
import { startChdb } from "./platform/clickhouse/start-chdb.ts";
import { readSettings } from "./platform/settings.ts";
import { testPostgres } from "./platform/testing/stores.ts";
import { withStores } from "./with-stores.ts";

const { url: databaseUrl } = await testPostgres();
const dir = await mkdtemp(join(tmpdir(), "millrace-move-"));
// A server as far as the platform knows: it has nothing but an address.
const server = await startChdb({ dir: join(dir, "server"), log: () => undefined });
afterAll(async () => {
  await server.stop();
  await rm(dir, { recursive: true });
});
vi.spyOn(process.stdout, "write").mockReturnValue(true);

const dataDir = join(dir, "data");
const embedded = readSettings({
  DATA_DIR: dataDir,
  DATABASE_URL: databaseUrl,
  MILLRACE_DEMO: "0",
  LOG_LEVEL: "silent",
});
const settings = { ...embedded, clickhouseUrl: server.url };

/** Thousands of events and requests of four months, with devices, money and odd texts. */
async function fill(write: ClickHouseClient): Promise<void> {
  const at = "now64(3) - toIntervalHour(number) AS at";
  const facts =
    "1 + number % 3 AS app_id, concat('zone\\t\\n', toString(number % 5)) AS zone, 'banner' AS format, 'DE' AS country";
  await write.command({
    query: `INSERT INTO events (at, kind, event_id, auction_id, app_id, zone, format, country, platform, provider, device, revenue_micros)
      SELECT ${at}, 'impression', toString(number), generateUUIDv4(), ${facts}, 'android', 'aurora', cityHash64(number % 700), 1000 + number FROM numbers(2000)`,
  });
  await write.command({
    query: `INSERT INTO events (at, kind, event_id, app_id, platform, device, first_day)
      SELECT ${at}, 'session', toString(number), 1, 'android', cityHash64(number), toDate(at) - 1 FROM numbers(700)`,
  });
  await write.command({
    query: `INSERT INTO auctions (at, auction_id, imp_id, app_id, zone, format, country, platform, device, asked, winner, price_micros)
      SELECT ${at}, generateUUIDv4(), 'i', ${facts}, 'android', cityHash64(number % 700), ['aurora', 'basin'], 'aurora', 5 FROM numbers(2000)`,
  });
  await write.command({
    query:
      "INSERT INTO traces (at, auction_id, app_id, trace) SELECT now64(3), generateUUIDv4(), 1, randomString(500) FROM numbers(50)",
  });
}

/** Every table with its rows, and some sums that the dashboard shows. */
async function stateOf(read: ClickHouseClient) {
  const ask = async <Row>(query: string) => (await read.query({ query, format: "JSONEachRow" })).json<Row>();
  const tables = await ask<{ name: string; isMerged: number }>(
    "SELECT name, engine != 'MergeTree' AS isMerged FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%MergeTree' ORDER BY name",
  );
  const counts: Record<string, unknown> = {};
  for (const { name, isMerged } of tables) {
    counts[name] = (await ask<object>(`SELECT count() AS rows FROM ${name} ${isMerged === 1 ? "FINAL" : ""}`))[0];
  }
  const views = await ask(
    "SELECT name FROM system.tables WHERE database = currentDatabase() AND engine = 'MaterializedView' ORDER BY name",
  );
  const [sums] = await ask(`SELECT sum(impressions) AS impressions, sum(revenue_micros) AS micros FROM stats_daily`);
  const [traces] = await ask("SELECT groupBitXor(cityHash64(trace)) AS hash FROM traces");
  const [sketches] = await ask("SELECT uniqCombined64Merge(19)(devices) AS people FROM cohort_daily");
  return { counts, views, sums, traces, sketches };
}

test("events and statistics move to a server, where new events count on, and the embedded store is put aside", async () => {
  let before: unknown;
  await withStores(embedded, async ({ clickhouse }) => {
    await fill(clickhouse.write);
    before = await stateOf(clickhouse.read);
  });
  expect(before).toMatchObject({
    counts: { events: { rows: "2700" } },
    sums: { impressions: "2000" },
    sketches: { people: "700" },
  });
  await moveEvents(settings);
  expect([existsSync(join(dataDir, "clickhouse")), existsSync(join(dataDir, "clickhouse.moved/store"))]).toEqual([
    false,
    true,
  ]);
  await withStores(settings, async ({ clickhouse }) => {
    expect(await stateOf(clickhouse.read)).toEqual(before);
    await fill(clickhouse.write);
    expect(await stateOf(clickhouse.read)).toMatchObject({
      counts: { events: { rows: "5400" } },
      sums: { impressions: "4000" },
    });
  });
}, 120_000);

test("events move once, and into an empty database alone, and nobody starts on one that has not all of them", async () => {
  await expect(moveEvents(embedded)).rejects.toThrow("Set CLICKHOUSE_URL");
  const fresh = { ...settings, dataDir: join(dir, "fresh") };
  await expect(moveEvents(fresh)).rejects.toThrow("There is no embedded store in");
  await withStores({ ...fresh, clickhouseUrl: undefined }, async ({ clickhouse }) => fill(clickhouse.write));
  await mkdir(join(fresh.dataDir, "clickhouse.moved/store"), { recursive: true });
  await expect(moveEvents(fresh)).rejects.toThrow("was moved before");
  await rm(join(fresh.dataDir, "clickhouse.moved"), { recursive: true });
  await expect(moveEvents(fresh)).rejects.toThrow("The database of CLICKHOUSE_URL has tables");
  expect(existsSync(join(fresh.dataDir, "clickhouse/store"))).toBe(true);

  const { write, close } = connectClickHouse(server.url);
  await write.command({ query: "CREATE TABLE unfinished_move (at DateTime) ENGINE = MergeTree ORDER BY at" });
  await expect(withStores(settings, () => expect.fail("It started"))).rejects.toThrow("Not all events were moved");
  await close();
}, 120_000);
