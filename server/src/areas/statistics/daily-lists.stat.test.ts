import { beforeAll, expect, test } from "vitest";
import { runStat } from "../../platform/clickhouse/define-stat.ts";
import { testClickHouse } from "../../platform/testing/stores.ts";
import { noAdReasons, sdkVersions, seenCountries } from "./daily-lists.stat.ts";
import { bindScope } from "./scope.ts";
import { auction, impression, keep, scopeOf, session } from "./testing/some-rows.ts";

const clickhouse = await testClickHouse();
const scope = (rest = {}) => bindScope(scopeOf("2024-11-18", "2024-11-19", rest));

beforeAll(() =>
  keep(clickhouse, {
    auctions: [
      auction("2024-11-18T10:00:00Z", { no_ad: "no_demand" }),
      auction("2024-11-18T10:00:00Z", { no_ad: "timeout", format: "video" }),
      auction("2024-11-19T10:00:00Z", { no_ad: "timeout", country: "DE" }),
      auction("2024-11-19T10:00:00Z"),
      auction("2024-11-20T10:00:00Z", { no_ad: "blocked", country: "BR" }),
    ],
    events: [
      session("2024-11-19T10:00:00Z", { sdk_version: "1.0.0" }),
      session("2024-11-19T11:00:00Z", { sdk_version: "1.1.0", country: "DE" }),
      session("2024-11-19T12:00:00Z", { sdk_version: "1.1.0" }),
      session("2024-11-19T12:00:00Z", { sdk_version: "9.9.9", invalid: "crawler" }),
      session("2024-11-19T12:00:00Z", { sdk_version: "99999.0.0" }),
      session("2024-11-19T12:00:00Z", { sdk_version: "99998.0.0" }),
      impression("2024-11-18T10:00:00Z", { sdk_version: "1.0.0" }),
      impression("2024-11-18T10:00:00Z", { sdk_version: "1.1.0" }),
      impression("2024-11-18T10:00:00Z", { sdk_version: "99998.0.0", invalid: "crawler" }),
      impression("2024-11-18T10:00:00Z", { sdk_version: "99999.0.0", app_id: 2 }),
    ],
  }),
);

test("reasons for no ad, the most frequent first", async () => {
  const ask = (rest = {}) => runStat(clickhouse.read, noAdReasons.ofDays, scope(rest));
  expect(await ask()).toEqual([
    { id: "timeout", count: 2 },
    { id: "no_demand", count: 1 },
  ]);
  expect(await ask({ formats: ["video"], countries: ["US"] })).toEqual([{ id: "timeout", count: 1 }]);
});

test("SDK versions by the sessions they began, without those that have shown no ad in the app", async () => {
  const ask = (rest = {}) => runStat(clickhouse.read, sdkVersions.ofDays, scope(rest));
  expect(await ask()).toEqual([
    { id: "1.1.0", count: 2 },
    { id: "1.0.0", count: 1 },
  ]);
  expect(await ask({ countries: ["DE"] })).toEqual([{ id: "1.1.0", count: 1 }]);
});

test("countries that an app was used in, ever", async () => {
  const ask = async (appIds: number[]) =>
    (await runStat(clickhouse.read, seenCountries, { appIds })).map(({ code }) => code);
  expect(await ask([1])).toEqual(["BR", "DE", "US"]);
  expect(await ask([2])).toEqual([]);
});
