import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { splitStatements } from "../../platform/migrate/split-statements.ts";
import { testClickHouse } from "../../platform/testing/stores.ts";
import { click, droppedEvents, impression, keep } from "./testing/some-rows.ts";

const clickhouse = await testClickHouse();
const MIGRATION = new URL("../../../migrations/clickhouse/0011_not_counted.sql", import.meta.url);

async function notCounted(): Promise<unknown[]> {
  const query = "SELECT reason, sum(impressions), sum(clicks) FROM not_counted_daily GROUP BY ALL ORDER BY ALL";
  return (await clickhouse.read.query({ query, format: "JSONCompactEachRow" })).json();
}

test("what was not counted is filled from the events that are there, however often the migration runs, and goes on from there", async () => {
  const crawled = impression("2024-11-18T10:00:01Z", { invalid: "crawler" });
  await keep(clickhouse, {
    events: [crawled, impression("2024-12-01T10:00:01Z"), click("2024-11-18T10:00:02Z", { invalid: "replayed" })],
    // The counts of floods are deleted after a month; the rollup keeps them.
    dropped_events: [droppedEvents(new Date().toISOString(), { invalid: "replayed", events: 40 })],
  });
  const fed = [
    ["crawler", "1", "0"],
    ["replayed", "0", "41"],
  ];
  expect(await notCounted()).toEqual(fed);
  const statements = splitStatements(await readFile(MIGRATION, "utf8"));
  // Interrupted after its first fill, then whole.
  for (const run of [statements.slice(0, -3), statements])
    for (const query of run) await clickhouse.write.command({ query });
  expect(await notCounted()).toEqual(fed);
  await keep(clickhouse, { events: [impression("2024-11-18T10:00:05Z", { invalid: "crawler" })] });
  expect(await notCounted()).toEqual([["crawler", "2", "0"], fed[1]]);
});
