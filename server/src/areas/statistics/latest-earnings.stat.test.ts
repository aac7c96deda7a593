import { expect, test } from "vitest";
import { runStat } from "../../platform/clickhouse/define-stat.ts";
import { testClickHouse } from "../../platform/testing/stores.ts";
import { askStore } from "./ask-store.ts";
import { latestEarnings } from "./latest-earnings.stat.ts";
import { onlineRevenue } from "./online-revenue.ts";
import { type Scope, bindScope } from "./scope.ts";
import { impression, keep, scopeOf } from "./testing/some-rows.ts";

const clickhouse = await testClickHouse();
const nowMs = Date.parse("2024-11-19T12:00:00Z");

const ask = async (rest: Partial<Scope> = {}) => {
  const scope = scopeOf("2024-11-10", "2024-11-19", rest);
  const names = { provider: (id: string) => id.toUpperCase(), zone: (zone: string) => zone };
  const found = await onlineRevenue(
    { ask: askStore({ ...clickhouse, clock: { now: () => nowMs } }), nowMs, names },
    scope,
  );
  return found.map(({ earn }) => earn);
};

test("the last five that earned something, newest first, however long ago they were", async () => {
  await keep(clickhouse, {
    events: [
      impression("2024-11-19T11:59:58Z", { revenue_micros: 9, country: "DE" }),
      impression("2024-11-19T11:59:59Z", { revenue_micros: 0 }),
      impression("2024-11-19T11:59:59Z", { revenue_micros: 999, invalid: "crawler" }),
      impression("2024-11-19T11:59:59Z", { revenue_micros: 999, app_id: 2 }),
      impression("2024-11-19T05:00:00Z", { revenue_micros: 8, event_id: "b" }),
      impression("2024-11-19T05:00:00Z", { revenue_micros: 7, event_id: "a" }),
      impression("2024-11-15T05:00:00Z", { revenue_micros: 6, provider: "borealis" }),
      impression("2024-11-12T05:00:00Z", { revenue_micros: 5 }),
      impression("2024-11-11T05:00:00Z", { revenue_micros: 4 }),
      impression("2024-11-09T05:00:00Z", { revenue_micros: 3 }),
    ],
  });
  expect(await ask()).toEqual([9, 8, 7, 6, 5]);
  expect(await ask({ countries: ["DE"] })).toEqual([9]);
  expect(await ask({ providers: ["borealis"] })).toEqual([6]);
  expect(await ask({ range: { ds: "2024-11-10", de: "2024-11-12" } })).toEqual([5, 4]);
  expect(await ask({ formats: ["audio"] })).toEqual([]);

  const [first] = await runStat(clickhouse.read, latestEarnings, {
    ...bindScope(scopeOf("2024-11-10", "2024-11-19")),
    since: 0,
  });
  expect(first).toMatchObject({
    atMs: Date.parse("2024-11-19T11:59:58Z"),
    provider: "aurora",
    format: "banner",
    country: "DE",
    revenueMicros: 9n,
  });
});
