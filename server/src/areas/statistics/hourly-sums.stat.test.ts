import { expect, test } from "vitest";
import { runStat } from "../../platform/clickhouse/define-stat.ts";
import { testClickHouse } from "../../platform/testing/stores.ts";
import { hourlySums } from "./hourly-sums.stat.ts";
import { type Scope, bindScope } from "./scope.ts";
import { auction, impression, keep, ping, scopeOf, session } from "./testing/some-rows.ts";

const clickhouse = await testClickHouse();
const ask = (rest: Partial<Scope> = {}) => {
  const scope = scopeOf("2024-11-19", "2024-11-19", rest);
  return runStat(clickhouse.read, hourlySums(scope), bindScope(scope));
};

test("hourly sums belong to the hour of the event, and a provider's requests are those sent to it", async () => {
  await keep(clickhouse, {
    auctions: [
      auction("2024-11-19T09:59:59.999Z", { asked: ["aurora", "borealis"] }),
      auction("2024-11-19T10:00:00Z", { asked: ["borealis"] }),
      auction("2024-11-20T00:00:00Z"),
    ],
    events: [
      impression("2024-11-19T10:30:00Z", { revenue_micros: 7 }),
      session("2024-11-19T23:59:59Z"),
      ping("2024-11-19T23:59:59Z", 5),
    ],
  });
  const rows = await ask();
  expect(rows.map(({ id, ...sums }) => [id, ...Object.values(sums)])).toEqual([
    ["2024-11-19T09:00:00Z", 1, 0, 0, 0, 0, 0n],
    ["2024-11-19T10:00:00Z", 1, 1, 0, 0, 0, 7n],
    ["2024-11-19T23:00:00Z", 0, 0, 0, 1, 5, 0n],
  ]);
  const sent = async (providers: string[]) =>
    (await ask({ providers })).map(({ id, requests }) => [id.slice(11, 13), requests]);
  expect(await sent(["aurora"])).toEqual([
    ["09", 1],
    ["10", 0],
  ]);
  expect(await sent(["aurora", "borealis"])).toEqual([
    ["09", 2],
    ["10", 1],
  ]);
});
