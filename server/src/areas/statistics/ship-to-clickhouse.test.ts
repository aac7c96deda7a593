import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ClickHouseError } from "@clickhouse/client";
import { afterAll, expect, test } from "vitest";
import { openJournal } from "../../platform/journal/journal.ts";
import { BlockRefused, type Ship } from "../../platform/journal/block.ts";
import { silentLog } from "../../platform/log.ts";
import { testClickHouse } from "../../platform/testing/stores.ts";
import { shipOnce } from "./ship-once.ts";
import { shipToClickHouse } from "./ship-to-clickhouse.ts";
import { auction, campaignMisses, click, droppedEvents, impression, keep, ping, session } from "./testing/some-rows.ts";

const clickhouse = await testClickHouse();
const dir = await mkdtemp(join(tmpdir(), "journal-"));
afterAll(() => rm(dir, { recursive: true }));

const day = "2026-11-19";
const rows = {
  auctions: [
    auction(`${day}T23:59:59.999Z`, { device: "1" }),
    auction(`${day}T10:00:00Z`, { device: "2", no_ad: "no_demand", winner: "" }),
    // Another partition: the store cuts the block at a month's end.
    auction("2026-12-01T00:00:00Z", { device: "3", campaign_id: 7, creative_id: 3, sizes: ["320x50"], os_major: 17 }),
  ],
  events: [
    impression(`${day}T10:00:01Z`, { revenue_micros: 1601, cost_micros: 2001, campaign_id: 7, creative_id: 3 }),
    impression("2026-12-01T00:00:01Z", { provider: "borealis" }),
    impression(`${day}T10:00:02Z`, { invalid: "replayed" }),
    click(`${day}T10:00:03Z`),
    session(`${day}T09:00:00Z`, { device: "9" }),
    ping(`${day}T09:01:00Z`, 60, { device: "9" }),
  ],
  dropped_events: [droppedEvents(`${day}T10:00:04Z`, { events: 30 })],
  campaign_misses: [campaignMisses(`${day}T10:00:05Z`, { auctions: 40 })],
};

/** One line of numbers for the raw tables and each rollup. */
const QUESTIONS = {
  auctions: "SELECT count() FROM auctions",
  events: "SELECT count() FROM events",
  stats_hourly:
    "SELECT sum(requests), sum(impressions), sum(clicks), sum(sessions), sum(session_seconds), sum(revenue_micros), sum(cost_micros), sum(invalid) FROM stats_hourly",
  stats_daily:
    "SELECT sum(requests), sum(impressions), sum(clicks), sum(sessions), sum(session_seconds), sum(revenue_micros), sum(cost_micros), sum(invalid) FROM stats_daily",
  sent_daily: "SELECT sum(sent) FROM sent_daily",
  sums_daily:
    "SELECT sum(requests), sum(impressions), sum(clicks), sum(sessions), sum(session_seconds), sum(revenue_micros) FROM sums_daily WHERE dimension = 'total'",
  sums_daily_of_providers:
    "SELECT sum(requests), sum(impressions), sum(clicks), sum(sessions), sum(session_seconds), sum(revenue_micros) FROM sums_daily WHERE dimension = 'provider'",
  // Devices are kept once by their key, so what counts here is how many rows were written: a batch dropped or not.
  devices_daily: "SELECT count(), uniqExact(device) FROM devices_daily",
  devices_by_span: "SELECT count(), uniqExact(device), bitCount(groupBitOr(days)) FROM devices_by_span",
  viewers_daily: "SELECT count(), uniqExact(device) FROM viewers_daily",
  app_lifetime: "SELECT sum(app_lifetime.revenue_micros) FROM app_lifetime",
  sdk_daily: "SELECT sum(sessions) FROM sdk_daily",
  shown_sdk_versions: "SELECT count() FROM shown_sdk_versions FINAL",
  no_ad_daily: "SELECT sum(requests) FROM no_ad_daily",
  dropped_events: "SELECT count() FROM dropped_events",
  not_counted_daily: "SELECT sum(impressions), sum(clicks) FROM not_counted_daily",
  campaign_hourly:
    "SELECT sum(requests), sum(impressions), sum(clicks), sum(cost_micros), sum(revenue_micros) FROM campaign_hourly",
  campaign_misses: "SELECT count() FROM campaign_misses",
  campaign_misses_hourly: "SELECT sum(auctions) FROM campaign_misses_hourly",
} as const;

async function counted(): Promise<Record<string, string>> {
  const answers = Object.entries(QUESTIONS).map(async ([table, query]) => {
    const result = await clickhouse.read.query({ query, format: "TabSeparated" });
    return [table, (await result.text()).trim().replaceAll("\t", " ")] as const;
  });
  return Object.fromEntries(await Promise.all(answers));
}

const ONCE = {
  auctions: "3",
  events: "6",
  stats_hourly: "3 2 1 1 60 3201 4001 1",
  stats_daily: "3 2 1 1 60 3201 4001 1",
  sent_daily: "6",
  sums_daily: "3 2 1 1 60 3201",
  sums_daily_of_providers: "6 2 1 0 0 3201",
  devices_daily: "4 4",
  devices_by_span: "4 4 2",
  viewers_daily: "2 1",
  app_lifetime: "3201",
  sdk_daily: "1",
  shown_sdk_versions: "1",
  no_ad_daily: "1",
  dropped_events: "1",
  not_counted_daily: "1 30",
  campaign_hourly: "1 1 0 2001 1601",
  campaign_misses: "1",
  campaign_misses_hourly: "40",
};

test("a batch counts once in the raw tables and in every rollup, however often it is sent", async () => {
  await keep(clickhouse, rows, "batch-1");
  expect(await counted()).toEqual(ONCE);
  for (let again = 0; again < 3; again++) await keep(clickhouse, rows, "batch-1");
  expect(await counted()).toEqual(ONCE);
});

test("a batch that had reached the raw table alone reaches the rollups when it is sent again, once", async () => {
  const { write } = clickhouse;
  // The store dies between table and views: here they are away while the batch comes in.
  const asked = await write.query({ query: "SHOW CREATE TABLE events_to_sdk_daily", format: "TabSeparatedRaw" });
  const definition = (await asked.text()).trim();
  await write.command({ query: "DROP TABLE events_to_sdk_daily SYNC" });
  const late = { events: [session(`${day}T12:00:00Z`, { device: "9" })] };
  await keep(clickhouse, late, "batch-2");
  expect(await counted()).toMatchObject({ events: "7", sdk_daily: "1" });

  await write.command({ query: definition });
  await keep(clickhouse, late, "batch-2");
  await keep(clickhouse, late, "batch-2");
  expect(await counted()).toMatchObject({ events: "7", sdk_daily: "2", stats_daily: "3 2 1 2 60 3201 4001 1" });
});

/** From now on, each table remembers its last so many blocks. */
async function windowOf(blocks: number): Promise<void> {
  const { read, write } = clickhouse;
  const found = await read.query({
    query:
      "SELECT name FROM system.tables WHERE database = currentDatabase() AND create_table_query LIKE '%non_replicated_deduplication_window%'",
    format: "JSONEachRow",
  });
  for (const { name } of await found.json<{ name: string }>())
    await write.command({
      query: `ALTER TABLE ${name} MODIFY SETTING non_replicated_deduplication_window = ${blocks}`,
    });
}

test("every table that remembers blocks remembers at least 10,000", async () => {
  const found = await clickhouse.read.query({
    query: `SELECT name, toUInt32OrZero(extract(create_table_query, 'non_replicated_deduplication_window = (\\d+)')) AS blocks
      FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%MergeTree' AND blocks BETWEEN 1 AND 9999`,
    format: "JSONEachRow",
  });
  // These are filled from other tables, without a token.
  const names = (await found.json<{ name: string }>()).map(({ name }) => name).toSorted();
  expect(names).toEqual(["devices_by_hours", "latest_earnings", "sent_hourly"]);
});

test("an old batch that is sent again counts once, also if the store has forgotten its token, and what is missing of it is added", async () => {
  const clock = { now: Date.now };
  const ship = shipToClickHouse(clickhouse.write);
  const [old, events] = [new Date(Date.now() - 8 * 3_600_000).toISOString(), 4];
  const impressions = Array.from({ length: events }, () => impression(old, { app_id: 66, revenue_micros: 100 }));
  const auctions = [auction(old, { app_id: 66 }), auction(old, { app_id: 66 })];
  const shipAll = async (by: Ship, count: number) => {
    const tables = { events: impressions.slice(0, count), auctions: auctions.slice(0, count) };
    for (const [table, list] of Object.entries(tables)) {
      const lines = Buffer.from(list.map((row) => `${JSON.stringify(row)}\n`).join(""));
      await by({ table, token: `old:${table}`, count: list.length, rows: lines });
    }
  };
  const sums = async () => {
    const query = `SELECT (SELECT count() FROM events WHERE app_id = 66) AS events, (SELECT count() FROM auctions WHERE app_id = 66) AS auctions,
      sum(impressions), sum(requests), sum(revenue_micros) FROM stats_daily WHERE app_id = 66`;
    return (await (await clickhouse.read.query({ query, format: "TabSeparated" })).text()).trim().replaceAll("\t", " ");
  };
  const { read } = clickhouse;
  await windowOf(3);
  // Half of it is stored, and the store takes others' batches until it does not know the token any more.
  await shipAll(ship, 1);
  for (let nth = 0; nth < 5; nth++)
    await keep(clickhouse, { auctions: [auction(`${day}T11:00:00Z`)], events: [impression(`${day}T11:00:00Z`)] });
  const once = shipOnce(ship, { read, clock, knownBlocks: 3 });
  await shipAll(once, events);
  expect(await sums()).toBe("4 2 4 2 400");
  for (let nth = 0; nth < 5; nth++)
    await keep(clickhouse, { auctions: [auction(`${day}T11:00:00Z`)], events: [impression(`${day}T11:00:00Z`)] });
  await shipAll(once, events);
  expect(await sums()).toBe("4 2 4 2 400");
  await windowOf(10_000);
});

test("an old batch that reached the raw table alone is completed if few others were sent since, as after an outage of the store", async () => {
  const { read, write } = clickhouse;
  const asked = await write.query({ query: "SHOW CREATE TABLE events_to_sdk_daily", format: "TabSeparatedRaw" });
  const definition = (await asked.text()).trim();
  await write.command({ query: "DROP TABLE events_to_sdk_daily SYNC" });
  const rows = Buffer.from(`${JSON.stringify(session(new Date().toISOString(), { app_id: 67, device: "9" }))}\n`);
  const block = { table: "events", token: "outage:events", count: 1, rows };
  const once = shipOnce(shipToClickHouse(write), { read, clock: { now: () => Date.now() + 86_400_000 } });
  await once(block);
  await write.command({ query: definition });
  await once(block);
  await once(block);
  const query = "SELECT (SELECT count() FROM events WHERE app_id = 67), sum(sessions) FROM sdk_daily WHERE app_id = 67";
  expect((await (await read.query({ query, format: "TabSeparated" })).text()).trim()).toBe("1\t1");
});

test("the same rows under another token are other rows", async () => {
  const before = await counted();
  await keep(clickhouse, { auctions: [auction(`${day}T10:00:00Z`, { device: "2" })] }, "batch-3");
  await keep(clickhouse, { auctions: [auction(`${day}T10:00:00Z`, { device: "2" })] }, "batch-4");
  expect(Number((await counted())["auctions"])).toBe(Number(before["auctions"]) + 2);
});

test("a full segment of the journal is one block: 50,000 rows in mixed tables count exactly once when sent twice", async () => {
  const many = Array.from({ length: 50_000 }, (_, index) =>
    impression(`${day}T15:00:00Z`, { device: String(index), app_id: 77 }),
  );
  const rowsOf = async () => {
    const query = "SELECT sum(impressions) AS n FROM stats_daily WHERE app_id = 77";
    return (await (await clickhouse.read.query({ query, format: "JSON" })).json<{ n: string }>()).data[0]?.n;
  };
  await keep(clickhouse, { events: many }, "large");
  await keep(clickhouse, { events: many }, "large");
  expect(await rowsOf()).toBe("50000");
});

const block = (table: string, line: object) => ({
  table,
  token: "x",
  count: 1,
  rows: Buffer.from(`${JSON.stringify(line)}\n`),
});

test("rows that do not fit the table are refused", async () => {
  const ship = shipToClickHouse(clickhouse.write);
  await expect(ship(block("events", { nonsense: 1 }))).rejects.toBeInstanceOf(BlockRefused);
  await expect(ship(block("events", { at: "not a moment" }))).rejects.toBeInstanceOf(BlockRefused);
});

test.each([
  ["does not have the table yet", "RENAME TABLE campaign_misses TO away", "RENAME TABLE away TO campaign_misses"],
  [
    "has the table of an older version",
    "ALTER TABLE dropped_events RENAME COLUMN events TO former",
    "ALTER TABLE dropped_events RENAME COLUMN former TO events",
  ],
])("rows for a store that %s wait for it, as while it is being restored", async (_what, take, giveBack) => {
  const ship = shipToClickHouse(clickhouse.write);
  const first = droppedEvents(`${day}T10:00:04Z`, { events: 7 });
  await ship({ ...block("dropped_events", first), token: "first" });
  await clickhouse.write.command({ query: take });
  const both = [block("campaign_misses", campaignMisses(`${day}T11:00:00Z`)), block("dropped_events", first)];
  const token = `while ${take}`;
  const outcomes = await Promise.allSettled(both.map((one) => ship({ ...one, token })));
  const [failed] = outcomes.flatMap((one) => (one.status === "rejected" ? [one.reason as Error] : []));
  expect(failed).toBeInstanceOf(ClickHouseError);
  await clickhouse.write.command({ query: giveBack });
  for (const one of both) await ship({ ...one, token });
});

test("a text that is none spoils no rows, neither its own nor those beside it", async () => {
  const odd = ["\ud800", "a\udc00b", "\0", "\ud83d\ude00"].map((imp_id) =>
    auction(`${day}T21:00:00Z`, { app_id: 89, imp_id }),
  );
  await keep(clickhouse, { auctions: [auction(`${day}T21:00:00Z`, { app_id: 89 }), ...odd] }, "odd-texts");
  const query = "SELECT sum(requests) AS requests FROM stats_daily WHERE app_id = 89";
  expect((await (await clickhouse.read.query({ query, format: "JSON" })).json()).data).toEqual([{ requests: "5" }]);
});

test("rows appended to the journal are in the store after a flush", async () => {
  const journal = await openJournal(dir, { ship: shipToClickHouse(clickhouse.write), log: silentLog });
  await Promise.all([
    journal.append("events", impression(`${day}T20:00:00Z`, { app_id: 88, revenue_micros: 5 })),
    journal.append("auctions", auction(`${day}T20:00:00Z`, { app_id: 88 })),
  ]);
  await journal.flush();
  const query = "SELECT sum(requests) AS requests, sum(revenue_micros) AS micros FROM stats_daily WHERE app_id = 88";
  expect((await (await clickhouse.read.query({ query, format: "JSON" })).json()).data).toEqual([
    { requests: "1", micros: "5" },
  ]);
  await journal.close();
});
