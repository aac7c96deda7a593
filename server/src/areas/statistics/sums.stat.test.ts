import { beforeAll, expect, test } from "vitest";
import { runStat } from "../../platform/clickhouse/define-stat.ts";
import { testClickHouse } from "../../platform/testing/stores.ts";
import { type Scope, bindScope } from "./scope.ts";
import { type SumsGroup, sumOf, sumsStats } from "./sums.stat.ts";
import { auction, click, impression, keep, ping, scopeOf, session } from "./testing/some-rows.ts";

const clickhouse = await testClickHouse();

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

const rowsOf = async (groups: ReadonlySet<SumsGroup>, scope: Scope) =>
  (await Promise.all(sumsStats(groups, scope).map((stat) => runStat(clickhouse.read, stat, bindScope(scope))))).flat();

const ask = async (group: SumsGroup, scope: Partial<Scope> = {}) => {
  const asked = scopeOf("2024-11-18", "2024-11-19", scope);
  return (await rowsOf(new Set([group]), asked)).map(({ group: _group, id, ...sums }) => [id, ...Object.values(sums)]);
};

test("sums hold requests, impressions, clicks, sessions, their seconds and revenue, of valid events alone", async () => {
  expect(await ask("total")).toEqual([["", 2, 1, 1, 1, 61, 1601n]]);
  expect(await ask("date")).toEqual([
    ["2024-11-18", 1, 0, 0, 1, 61, 0n],
    ["2024-11-19", 1, 1, 1, 0, 0, 1601n],
  ]);
});

test("several groups asked together are each as they are alone, through filters too", async () => {
  const all = new Set<SumsGroup>(["total", "app", "date", "country", "format", "provider", "zone"]);
  for (const filter of [
    {},
    { providers: ["borealis"] },
    { formats: ["video"] },
    { countries: ["DE"] },
    { formats: ["video"], countries: ["DE"] },
  ]) {
    const scope = scopeOf("2024-11-18", "2024-11-19", { appIds: [1, 2, 3], ...filter });
    const rows = await rowsOf(all, scope);
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

test("the coarse rollup and the one by all keys give the same sums, and days and apps add up to the total", async () => {
  const groups = ["total", "app", "date", "provider", "format", "country", "zone"] as const;
  // Two filters are read from the rollup by all keys; with all formats or countries in one of them, nothing is left out.
  const formats = ["banner", "video"];
  for (const filter of [
    { countries: ["DE", "US"] },
    { providers: ["aurora"] },
    { providers: ["aurora", "borealis"] },
  ]) {
    for (const group of groups) {
      const scope = { appIds: [1, 2, 3], ...filter };
      const withoutSessions = { ...scope, formats };
      const coarse = await ask(group, "providers" in filter ? scope : { ...scope, formats: [] });
      if ("providers" in filter) expect(await ask(group, withoutSessions)).toEqual(coarse);
      else expect(coarse).toEqual(await ask(group, { appIds: [1, 2, 3] }));
    }
  }
  const scope = scopeOf("2024-11-18", "2024-11-19", { appIds: [1, 2, 3] });
  const [total] = await rowsOf(new Set(["total"]), scope);
  for (const parts of ["date", "app"] as const) {
    expect({ group: "total", ...sumOf(await rowsOf(new Set([parts]), scope)) }).toEqual(total);
  }
});
