import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { splitStatements } from "../../platform/migrate/split-statements.ts";
import { testClickHouse } from "../../platform/testing/stores.ts";
import { auction, click, impression, keep, ping, session } from "./testing/some-rows.ts";

const clickhouse = await testClickHouse();
const MIGRATION = new URL("../../../migrations/clickhouse/0008_sums_daily.sql", import.meta.url);

async function sums(): Promise<unknown[]> {
  const query = `SELECT app_id, dimension, day, key, sum(requests), sum(impressions), sum(clicks), sum(sessions),
    sum(session_seconds), sum(revenue_micros) FROM sums_daily GROUP BY ALL ORDER BY ALL`;
  return (await clickhouse.read.query({ query, format: "JSONCompactEachRow" })).json();
}

test("the sums by key are filled from the days that are there, however often the migration runs, and go on from there", async () => {
  await keep(clickhouse, {
    auctions: [auction("2024-11-18T10:00:00Z"), auction("2024-12-01T10:00:00Z", { format: "video", country: "DE" })],
    events: [impression("2024-11-18T10:00:01Z"), click("2024-11-18T10:00:02Z"), session("2024-11-18T09:00:00Z")],
  });
  const fed = await sums();
  expect(fed.length).toBeGreaterThan(10);
  const statements = splitStatements(await readFile(MIGRATION, "utf8"));
  for (let run = 0; run < 2; run++) {
    // Interrupted after its first fill, then whole.
    for (const query of run === 0 ? statements.slice(0, -3) : statements) await clickhouse.write.command({ query });
  }
  expect(await sums()).toEqual(fed);
  await keep(clickhouse, { events: [ping("2024-11-18T09:01:00Z", 60)], auctions: [auction("2024-11-18T11:00:00Z")] });
  const total = (await sums()).find((row) => (row as string[])[1] === "total") as string[];
  expect(total.slice(4)).toEqual(["2", "1", "1", "1", "60", "1600"]);
});
