import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { splitStatements } from "../../../platform/migrate/split-statements.ts";
import { testClickHouse } from "../../../platform/testing/stores.ts";
import { auction, keep } from "../testing/some-rows.ts";

const clickhouse = await testClickHouse();
const run = (query: string) => clickhouse.write.command({ query });
const read = async (query: string) => (await clickhouse.read.query({ query, format: "JSONCompactEachRow" })).json();
const statementsOf = async (file: string) =>
  splitStatements(await readFile(new URL(`../../../../migrations/clickhouse/${file}`, import.meta.url), "utf8"));

test("rows from before the migration, and rows without lists, have the first ad alone, and are counted once", async () => {
  const earlier = (await statementsOf("0014_campaigns.sql")).find((each) =>
    each.includes("auctions_to_campaign_hourly"),
  );
  await run(`ALTER TABLE auctions_to_campaign_hourly MODIFY QUERY ${earlier?.slice(earlier.indexOf("SELECT")) ?? ""}`);
  for (const column of ["campaign_ids", "creative_ids", "arms"])
    await run(`ALTER TABLE auctions DROP COLUMN ${column}`);
  const at = "2026-03-10T10:00:00Z";
  await keep(clickhouse, {
    auctions: [
      auction(at, { campaign_id: 7, creative_id: 71, arm: "even", imp_id: "1" }),
      auction(at, { imp_id: "2" }),
    ],
  });
  for (let time = 0; time < 2; time++) {
    for (const statement of await statementsOf("0031_all_campaign_ads.sql")) await run(statement);
  }
  await keep(clickhouse, {
    auctions: [
      auction(at, { campaign_id: 8, creative_id: 81, imp_id: "3" }),
      auction(at, { imp_id: "4", campaign_ids: [8, 7], creative_ids: [82, 72], arms: ["", "held"] }),
      auction(at, { imp_id: "5", campaign_ids: [], creative_ids: [], arms: [] }),
    ],
  });
  expect(await read("SELECT campaign_ids, creative_ids, arms FROM auctions ORDER BY imp_id")).toEqual([
    [[7], [71], ["even"]],
    [[], [], []],
    [[8], [81], [""]],
    [
      [8, 7],
      [82, 72],
      ["", "held"],
    ],
    [[], [], []],
  ]);
  const sums = "SELECT campaign_id, creative_id, arm, sum(requests) FROM campaign_hourly GROUP BY ALL ORDER BY ALL";
  expect(await read(sums)).toEqual([
    [7, 71, "even", "1"],
    [7, 72, "held", "1"],
    [8, 81, "", "1"],
    [8, 82, "", "1"],
  ]);
});
