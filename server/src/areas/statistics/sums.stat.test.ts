import { beforeAll, expect, test } from "vitest";
import { runStat } from "../../platform/clickhouse/define-stat.ts";
import { testStores } from "../../platform/testing/stores.ts";
import { type Scope, bindScope } from "./scope.ts";
import { type SumsGroup, sumsStat } from "./sums.stat.ts";
import { auction, click, impression, keep, ping, scopeOf, session } from "./testing/some-rows.ts";

const { clickhouse } = await testStores();

beforeAll(() =>
  keep(clickhouse, {
    auctions: [
      auction("2024-11-18T10:00:00Z", { asked: ["aurora", "borealis"] }),
      auction("2024-11-19T00:00:00Z", { asked: ["aurora"], format: "video", zone: "end", country: "DE" }),
      auction("2024-11-19T10:00:00Z", { app_id: 2, asked: [] }),
    ],
    events: [
      impression("2024-11-19T23:59:59.999Z", { revenue_micros: 1601 }),
      impression("2024-11-19T10:00:00Z", { revenue_micros: 5000, invalid: "crawler" }),
      click("2024-11-19T10:00:00Z"),
      session("2024-11-18T10:00:00Z"),
      ping("2024-11-18T10:01:00Z", 61),
    ],
  }),
);

const ask = async (group: SumsGroup, scope: Partial<Scope> = {}) => {
  const asked = scopeOf("2024-11-18", "2024-11-19", scope);
  const rows = await runStat(clickhouse.read, sumsStat(new Set([group]), asked), bindScope(asked));
  return rows.map(({ group: _group, id, ...sums }) => [id, ...Object.values(sums)]);
};

test("sums hold requests, impressions, clicks, sessions, their seconds and revenue, of valid events alone", async () => {
  expect(await ask("total")).toEqual([["", 2, 1, 1, 1, 61, 1601n]]);
  expect(await ask("date")).toEqual([
    ["2024-11-18", 1, 0, 0, 1, 61, 0n],
    ["2024-11-19", 1, 1, 1, 0, 0, 1601n],
  ]);
});

test("several groups are summed by one query, each as it is alone, through filters too", async () => {
  const all = new Set<SumsGroup>(["total", "app", "date", "country", "format", "provider", "zone"]);
  for (const filter of [{}, { providers: ["borealis"] }, { formats: ["video"] }, { countries: ["DE"] }]) {
    const scope = scopeOf("2024-11-18", "2024-11-19", { appIds: [1, 2, 3], ...filter });
    const rows = await runStat(clickhouse.read, sumsStat(all, scope), bindScope(scope));
    for (const group of all) {
      const of = rows
        .filter((row) => row.group === group)
        .map(({ group: _group, id, ...sums }) => [id, ...Object.values(sums)]);
      expect(of).toEqual(await ask(group, scope));
    }
  }
  expect((await ask("app", { appIds: [1, 2, 3] })).map(([id, requests, shown]) => [id, requests, shown])).toEqual([
    ["1", 2, 1],
    ["2", 1, 0],
  ]);
});

test("by provider, requests are those sent to it; by format and zone, sessions are in no row", async () => {
  expect(await ask("provider")).toEqual([
    ["aurora", 2, 1, 1, 0, 0, 1601n],
    ["borealis", 1, 0, 0, 0, 0, 0n],
  ]);
  expect(await ask("format")).toEqual([
    ["banner", 1, 1, 1, 0, 0, 1601n],
    ["video", 1, 0, 0, 0, 0, 0n],
  ]);
  expect((await ask("zone")).map(([id]) => id)).toEqual(["end", "main"]);
  expect((await ask("country")).map(([id, , , , sessions]) => [id, sessions])).toEqual([
    ["DE", 0],
    ["US", 1],
  ]);
});

test("filters narrow rows of both kinds, and days outside are not counted", async () => {
  expect(await ask("total", { providers: ["borealis"] })).toEqual([["", 1, 0, 0, 0, 0, 0n]]);
  expect(await ask("total", { providers: ["aurora"], countries: ["DE"], formats: ["video"] })).toEqual([
    ["", 1, 0, 0, 0, 0, 0n],
  ]);
  const nothing = ["", 0, 0, 0, 0, 0, 0n];
  expect(await ask("total", { range: { ds: "2024-11-20", de: "2024-11-21" } })).toEqual([nothing]);
  expect(await ask("total", { appIds: [] })).toEqual([nothing]);
  expect(await ask("country", { appIds: [] })).toEqual([]);
});
