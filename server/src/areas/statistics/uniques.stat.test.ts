import { expect, test } from "vitest";
import { runStat } from "../../platform/clickhouse/define-stat.ts";
import { testStores } from "../../platform/testing/stores.ts";
import { type Scope, bindScope } from "./scope.ts";
import { auction, impression, keep, scopeOf, session } from "./testing/some-rows.ts";
import type { SumsGroup } from "./sums.stat.ts";
import { hourlyUniques, uniquesStat } from "./uniques.stat.ts";

const { clickhouse } = await testStores();
const DAYS = ["2024-11-18", "2024-11-19"] as const;

async function ask(group: SumsGroup | "hour", rest: Partial<Scope> = {}) {
  const scope = scopeOf(...DAYS, rest);
  const rows = await runStat(
    clickhouse.read,
    group === "hour" ? hourlyUniques : uniquesStat(scope, group),
    bindScope(scope),
  );
  return rows.map(({ id, uniques }) => [id, uniques]);
}

/** `count` devices that each ask for an ad, see it and begin a session, in two halves on two days. */
async function crowd(appId: number, count: number): Promise<void> {
  const at =
    "toDateTime64('2024-11-18 06:00:00', 3, 'UTC') + toIntervalDay(number % 2) + toIntervalMillisecond(number % 1000)";
  const who = `${appId} AS app_id, 'US' AS country, cityHash64(number, ${appId}) AS device`;
  const place = "'main' AS zone, 'banner' AS format";
  const insert = (table: string, columns: string) =>
    clickhouse.write.command({
      query: `INSERT INTO ${table} (at, app_id, country, device, zone, format, ${columns.replaceAll(/'[^']*' AS /g, "")})
              SELECT ${at} AS at, ${who}, ${place}, ${columns} FROM numbers(${count})`,
      clickhouse_settings: { insert_deduplication_token: `${table} ${appId} ${columns}` },
    });
  await insert("auctions", "'1' AS imp_id");
  await insert("events", "'impression' AS kind, 'aurora' AS provider");
}

test(
  "devices are counted exactly up to ten thousand, in every table and by the hour",
  { timeout: 60_000 },
  async () => {
    for (const [appId, count] of [
      [11, 9999],
      [12, 10_000],
    ] as const) {
      await crowd(appId, count);
      const appIds = [appId];
      expect(await ask("total", { appIds })).toEqual([["", count]]);
      expect(await ask("country", { appIds })).toEqual([["US", count]]);
      expect(await ask("zone", { appIds })).toEqual([["main", count]]);
      expect(await ask("provider", { appIds })).toEqual([["aurora", count]]);
      const hours = await ask("hour", { appIds });
      expect(hours.map(([, uniques]) => Number(uniques)).reduce((sum, one) => sum + one, 0)).toBe(count);
    }
  },
);

test("beyond that within two in a hundred", { timeout: 60_000 }, async () => {
  for (const [appId, count] of [
    [13, 20_000],
    [14, 300_000],
  ] as const) {
    await crowd(appId, count);
    for (const group of ["total", "country", "zone", "provider"] as const) {
      const [[, uniques] = []] = await ask(group, { appIds: [appId] });
      expect(Math.abs(Number(uniques) - count) / count).toBeLessThan(0.02);
    }
  }
});

test("who asked or began a session counts once over all days; through a provider, who saw its ad", async () => {
  await keep(clickhouse, {
    auctions: [
      auction("2024-11-18T10:00:00Z", { device: "1" }),
      auction("2024-11-19T10:00:00Z", { device: "1", format: "video", zone: "end" }),
      auction("2024-11-19T11:00:00Z", { device: "2", country: "DE" }),
      auction("2024-11-19T11:00:00Z", { device: "2", app_id: 2 }),
    ],
    events: [
      session("2024-11-19T09:00:00Z", { device: "3" }),
      session("2024-11-19T09:00:00Z", { device: "4", invalid: "crawler" }),
      impression("2024-11-19T11:00:01Z", { device: "2", country: "DE" }),
    ],
  });
  expect(await ask("total")).toEqual([["", 3]]);
  expect(await ask("date")).toEqual([
    ["2024-11-18", 1],
    ["2024-11-19", 3],
  ]);
  expect(await ask("country")).toEqual([
    ["DE", 1],
    ["US", 2],
  ]);
  expect(await ask("format")).toEqual([
    ["banner", 2],
    ["video", 1],
  ]);
  expect(await ask("zone", { formats: ["video"] })).toEqual([["end", 1]]);
  expect(await ask("provider")).toEqual([["aurora", 1]]);
  expect(await ask("total", { providers: ["aurora"] })).toEqual([["", 1]]);
  expect(await ask("total", { countries: ["DE"] })).toEqual([["", 1]]);
  // Device 2 uses both apps and is one device of both.
  expect(await ask("app", { appIds: [1, 2] })).toEqual([
    ["", 3],
    ["1", 3],
    ["2", 1],
  ]);
  expect(await ask("hour")).toEqual([
    ["2024-11-18T10:00:00Z", 1],
    ["2024-11-19T09:00:00Z", 1],
    ["2024-11-19T10:00:00Z", 1],
    ["2024-11-19T11:00:00Z", 1],
  ]);
  expect(await ask("hour", { formats: ["video"] })).toEqual([["2024-11-19T10:00:00Z", 1]]);
  expect(await ask("hour", { providers: ["aurora"] })).toEqual([["2024-11-19T11:00:00Z", 1]]);
});
