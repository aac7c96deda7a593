import { addDays, daysIn } from "@millrace/units";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { runStat } from "../../platform/clickhouse/define-stat.ts";
import { systemClock } from "../../platform/clock.ts";
import { testClickHouse } from "../../platform/testing/stores.ts";
import { askStore } from "./ask-store.ts";
import { countDevices } from "./count-devices.ts";
import { type Scope, bindScope } from "./scope.ts";
import { auction, impression, keep, scopeOf, session } from "./testing/some-rows.ts";
import type { SumsGroup } from "./sums.stat.ts";
import { hourlyUniques } from "./hourly-uniques.stat.ts";

const clickhouse = await testClickHouse();
const DAYS = ["2024-11-18", "2024-11-19"] as const;

const store = askStore({ ...clickhouse, clock: systemClock });

async function ask(group: SumsGroup | "hour", rest: Partial<Scope> = {}) {
  const scope = scopeOf(...DAYS, rest);
  if (group !== "hour") return [...(await countDevices(store, scope, group))];
  const rows = await runStat(clickhouse.read, hourlyUniques(scope), bindScope(scope));
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
      const month = { ds: "2024-11-01", de: "2024-11-30" };
      expect(await ask("total", { appIds, range: month })).toEqual([["", count]]);
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
    for (const group of ["total", "app", "country", "zone", "provider"] as const) {
      const [[, uniques] = []] = await ask(group, { appIds: [appId] });
      expect(Math.abs(Number(uniques) - count) / count).toBeLessThan(0.02);
    }
    for (const group of ["total", "app", "country"] as const) {
      const month = { ds: "2024-11-01", de: "2024-11-30" };
      const [[, uniques] = []] = await ask(group, { appIds: [appId], range: month });
      expect(Math.abs(Number(uniques) - count) / count).toBeLessThan(0.02);
    }
    // Each day has a half of them.
    for (const [, uniques] of await ask("date", { appIds: [appId] }))
      expect(Math.abs(Number(uniques) - count / 2) / (count / 2)).toBeLessThan(0.02);
  }
});

test("few devices are counted after many, and many after few", async () => {
  await crowd(15, 100_000);
  await keep(clickhouse, {
    auctions: Array.from({ length: 300 }, (_, nth) =>
      auction(`2024-11-${nth % 2 === 0 ? 20 : 21}T10:00:00Z`, { app_id: 15, device: String(nth) }),
    ),
  });
  const few = { appIds: [15], range: { ds: "2024-11-20", de: "2024-11-21" } };
  const expectMany = async () => {
    const [[, many] = []] = await ask("total", { appIds: [15] });
    expect(Math.abs(Number(many) - 100_000) / 100_000).toBeLessThan(0.02);
    for (const [, ofDay] of await ask("date", { appIds: [15] }))
      expect(Math.abs(Number(ofDay) - 50_000) / 50_000).toBeLessThan(0.02);
  };
  const expectFew = async () => {
    expect(await ask("total", few)).toEqual([["", 300]]);
    expect((await ask("date", few)).map(([, ofDay]) => ofDay)).toEqual([150, 150]);
    expect(await ask("country", few)).toEqual([["US", 300]]);
    expect(await ask("total", { appIds: [15], range: { ds: "2024-12-01", de: "2024-12-02" } })).toEqual([]);
  };
  await expectMany();
  await expectFew();
  await expectMany();
});

test("a device counts once over all days by requests and sessions; for a provider, by its impressions", async () => {
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
  expect(await ask("total", { appIds: [1, 2] })).toEqual([["", 3]]);
  expect(await ask("app", { appIds: [1, 2] })).toEqual([
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

test(
  "over weeks and months a device counts if it was there on any of the days, and once",
  { timeout: 60_000 },
  async () => {
    const first = "2023-01-01";
    const DAYS_LONG = 300;
    const countries = ["US", "DE", "BR"];
    // A device comes every so many days, so that some are there in each span of the table and others in one.
    const visits = Array.from({ length: 400 }, (_, nth) => ({
      day: addDays(first, (nth * 37) % DAYS_LONG),
      country: countries[nth % 3] ?? "US",
      device: String((nth * 7) % 60),
      app_id: 31 + (nth % 2),
    }));
    await keep(clickhouse, {
      auctions: visits.filter((_, nth) => nth % 2 === 0).map(({ day, ...row }) => auction(`${day}T00:00:00Z`, row)),
      events: visits.filter((_, nth) => nth % 2 === 1).map(({ day, ...row }) => session(`${day}T23:59:59.999Z`, row)),
    });
    const asked = fc.record({
      from: fc.integer({ min: -20, max: DAYS_LONG }),
      length: fc.integer({ min: 1, max: 290 }),
      wanted: fc.subarray(countries),
    });
    await fc.assert(
      fc.asyncProperty(asked, async ({ from, length, wanted }) => {
        const range = { ds: addDays(first, from), de: addDays(first, from + length - 1) };
        expect(daysIn(range)).toBe(length);
        const scope = scopeOf(range.ds, range.de, { appIds: [31, 32], countries: wanted });
        const there = visits.filter(
          ({ day, country }) => day >= range.ds && day <= range.de && (wanted.length === 0 || wanted.includes(country)),
        );
        const byHand = (key: (visit: (typeof visits)[number]) => string) => {
          const groups = new Map<string, Set<string>>();
          for (const visit of there) groups.set(key(visit), (groups.get(key(visit)) ?? new Set()).add(visit.device));
          return new Map([...groups].map(([id, devices]) => [id, devices.size]));
        };
        const [total, app, country] = await Promise.all(
          (["total", "app", "country"] as const).map((group) => countDevices(store, scope, group)),
        );
        expect(total).toEqual(byHand(() => ""));
        expect(app).toEqual(byHand((visit) => String(visit.app_id)));
        expect(country).toEqual(byHand((visit) => visit.country));
      }),
      { numRuns: 60 },
    );
  },
);
