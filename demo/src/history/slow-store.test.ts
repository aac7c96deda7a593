import type { ClickHouseClient } from "@clickhouse/client";
import { DAY_MS } from "@millrace/units";
import { expect, test } from "vitest";
import { testClickHouse } from "../../../server/src/platform/testing/stores.ts";
import { CATALOGUE } from "../catalogue.ts";
import { fillHistory } from "./fill-history.ts";

const { read, write } = await testClickHouse();

/** The same client with so little time for a statement that none of history's ends in it, as on a machine that is slow or busy. */
const hurried: ClickHouseClient = Object.create(write, {
  command: {
    value: (asked: Parameters<typeof write.command>[0]) =>
      write.command({ ...asked, clickhouse_settings: { max_execution_time: 0.01, ...asked.clickhouse_settings } }),
  },
});

test("history is completed by a store that takes longer for a part than for any other statement", async () => {
  await fillHistory({
    write: hurried,
    seed: "slow",
    untilMs: Math.floor(Date.now() / DAY_MS) * DAY_MS,
    days: 2,
    appIds: new Map(CATALOGUE.slice(0, 2).map(({ slug }, index) => [slug, index + 1])),
    revenueSharePpm: 800_000,
    campaigns: [],
    inhouse: [],
  });
  const found = await read.query({ query: "SELECT count() > 1000 AS isFilled FROM auctions", format: "JSONEachRow" });
  expect(await found.json()).toEqual([{ isFilled: 1 }]);
}, 120_000);
