import { expect, test } from "vitest";
import { runStat } from "../../platform/clickhouse/define-stat.ts";
import { systemClock } from "../../platform/clock.ts";
import { testClickHouse } from "../../platform/testing/stores.ts";
import { askStore } from "./ask-store.ts";
import { earned } from "./lifetime.stat.ts";
import { lifetimes } from "./lifetimes.ts";
import { auction, impression, keep, session } from "./testing/some-rows.ts";

const clickhouse = await testClickHouse();

test("a lifetime is all revenue and all devices of an app, and a device of two apps is one of both", async () => {
  await keep(clickhouse, {
    auctions: [
      auction("2019-01-01T00:00:00Z", { device: "1" }),
      auction("2024-11-19T00:00:00Z", { device: "1", app_id: 2 }),
    ],
    events: [
      session("2024-11-19T00:00:00Z", { device: "2" }),
      impression("2019-01-01T00:00:01Z", { device: "1", revenue_micros: 10 }),
      impression("2024-11-19T00:00:01Z", { device: "1", revenue_micros: 5, app_id: 2 }),
      impression("2024-11-19T00:00:01Z", { device: "7", revenue_micros: 900, invalid: "crawler" }),
    ],
  });
  const ask = askStore({ ...clickhouse, clock: systemClock });
  expect(await lifetimes(ask, [1, 2, 3])).toEqual(
    new Map([
      [0, { revenueMicros: 15n, devices: 2 }],
      [1, { revenueMicros: 10n, devices: 2 }],
      [2, { revenueMicros: 5n, devices: 1 }],
    ]),
  );
  expect(await lifetimes(ask, [2])).toEqual(
    new Map([
      [0, { revenueMicros: 5n, devices: 1 }],
      [2, { revenueMicros: 5n, devices: 1 }],
    ]),
  );
  const asked = (appIds: number[], day: string) => runStat(clickhouse.read, earned, { appIds, day });
  expect(await asked([1, 2], "2024-11-19")).toEqual([{ dayMicros: 5n }]);
  expect(await asked([], "2024-11-19")).toEqual([{ dayMicros: 0n }]);
});
