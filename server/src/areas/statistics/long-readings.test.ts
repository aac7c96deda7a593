import { setTimeout as sleep } from "node:timers/promises";
import type { ClickHouseClient } from "@clickhouse/client";
import { expect, test } from "vitest";
import type { Journal } from "../../platform/journal/journal.ts";
import { testClickHouse } from "../../platform/testing/stores.ts";
import { campaignImpressionsSince } from "./campaign-impressions.ts";
import { recentEventIds } from "./recent-event-ids.ts";

const { read, write } = await testClickHouse();
const DAY = Date.parse("2026-03-10T00:00:00Z");
const ROWS = 500_000;

/** The store for queries that may last a second; the platform's may last thirty. */
const impatient = {
  query: (asked: Parameters<ClickHouseClient["query"]>[0]) =>
    read.query({ ...asked, clickhouse_settings: { max_execution_time: 1, ...asked.clickhouse_settings } }),
} as ClickHouseClient;
const journal: Pick<Journal, "flush" | "leftovers"> = { flush: async () => undefined, async *leftovers() {} };

/** Counts what is read by a reader that is busy for longer than a query may last. */
async function readSlowly(rows: AsyncIterable<unknown>): Promise<number> {
  let count = 0;
  for await (const _ of rows) if (++count === 1) await sleep(1500);
  return count;
}

test("a day's events are read to the end, however long it takes", async () => {
  await write.command({
    query: `INSERT INTO events (at, kind, event_id, app_id, provider, campaign_id, device)
      SELECT '2026-03-10 01:00:00', 'impression', toString(number), 1, 'campaigns', 7, number FROM numbers(${ROWS})`,
  });
  const ids = recentEventIds({ read: impatient, journal: journal as Journal }, DAY);
  expect(await readSlowly(ids)).toBe(ROWS);
  expect(await readSlowly(campaignImpressionsSince({ read: impatient, journal }, [7], DAY))).toBe(ROWS);
});
