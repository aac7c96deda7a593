import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { splitStatements } from "../../platform/migrate/split-statements.ts";
import { testClickHouse } from "../../platform/testing/stores.ts";
import { storedImpressionsOf } from "./stored-impressions.ts";
import { impression, keep } from "./testing/some-rows.ts";

const clickhouse = await testClickHouse();
const { read, write } = clickhouse;
const stored = storedImpressionsOf(read);
const MIGRATION = new URL("../../../migrations/clickhouse/0022_stored_at.sql", import.meta.url);

const storedTimes = async (appId: number): Promise<number[]> => {
  const query = `SELECT toUnixTimestamp64Milli(stored_at) FROM events WHERE app_id = ${appId} ORDER BY at`;
  const rows = await (await read.query({ query, format: "JSONCompactEachRow" })).json<[string]>();
  return rows.map(([ms]) => Number(ms));
};

test(
  "nothing that an insert stores is before the moment that was named while it ran",
  { timeout: 60_000 },
  async () => {
    const insert = write.command({
      query: `INSERT INTO events (at, app_id, provider) SELECT now64(3), 7, toString(sleepEachRow(1)) FROM numbers(8)
            SETTINGS max_block_size = 1, min_insert_block_size_rows = 1`,
    });
    const named: number[] = [];
    let isOver = false;
    const over = insert.then(() => (isOver = true));
    while (!isOver) named.push(await stored.until());
    await over;
    const earliest = Math.min(...(await storedTimes(7)));
    expect(named.length).toBeGreaterThan(2);
    expect(Math.max(...named.slice(0, -1))).toBeLessThan(earliest);
    // Once it is over, the moment moves on.
    await expect.poll(() => stored.until(), { timeout: 30_000 }).toBeGreaterThan(earliest);
  },
);

test("rows from before the column have the oldest time, and keep it, however often the migration runs", async () => {
  const statements = splitStatements(await readFile(MIGRATION, "utf8"));
  await write.command({ query: "ALTER TABLE events DROP INDEX stored_at_range" });
  await write.command({ query: "ALTER TABLE events DROP COLUMN stored_at SETTINGS mutations_sync = 2" });
  await keep(clickhouse, { events: [impression("2026-01-01T00:00:00Z", { app_id: 9 })] });
  // Interrupted before its end, then whole, twice.
  for (const run of [statements.slice(0, -1), statements, statements])
    for (const query of run) await write.command({ query });
  await keep(clickhouse, { events: [impression("2026-01-02T00:00:00Z", { app_id: 9 })] });
  const [before, after = 0] = await storedTimes(9);
  expect(before).toBe(0);
  expect(Math.abs(after - Date.now())).toBeLessThan(60_000);
  await write.command({ query: "OPTIMIZE TABLE events FINAL" });
  expect(await storedTimes(9)).toEqual([0, after]);
});
