import { expect, test } from "vitest";
import { runStat } from "../../platform/clickhouse/define-stat.ts";
import { testClickHouse } from "../../platform/testing/stores.ts";
import { firstCounts, notCounted } from "./first-counts.stat.ts";
import { auction, impression, keep, session } from "./testing/some-rows.ts";

const clickhouse = await testClickHouse();
const NONE = "1970-01-01";

test("an app's first counts are of all days, with the day each began, and without what was not counted", async () => {
  await keep(clickhouse, {
    auctions: [auction("2024-11-20T00:00:00Z"), auction("2024-11-21T23:59:59Z"), auction("2024-11-21T10:00:00Z")],
    events: [
      session("2024-11-19T10:00:00Z"),
      session("2024-11-21T10:00:00Z"),
      impression("2024-11-20T00:00:01Z", { invalid: "test" }),
      impression("2024-11-21T00:00:01Z"),
      impression("2024-11-21T00:00:01Z", { app_id: 2, invalid: "crawler" }),
    ],
  });
  const of = (appId: number, de = "2024-11-30") => runStat(clickhouse.read, firstCounts, { appId, de });
  expect(await of(1)).toEqual([
    {
      sessions: 2,
      requests: 3,
      impressions: 1,
      sessionsSince: "2024-11-19",
      requestsSince: "2024-11-20",
      impressionsSince: "2024-11-21",
    },
  ]);
  expect(await of(1, "2024-11-20")).toMatchObject([{ requests: 1, impressions: 0, impressionsSince: NONE }]);
  expect(await of(3)).toMatchObject([{ sessions: 0, requests: 0, impressions: 0, sessionsSince: NONE }]);
  const refused = (appId: number) => runStat(clickhouse.read, notCounted, { appId, de: "2024-11-30" });
  expect([await refused(1), await refused(2), await refused(3)]).toEqual([
    [{ events: 1 }],
    [{ events: 1 }],
    [{ events: 0 }],
  ]);
});
