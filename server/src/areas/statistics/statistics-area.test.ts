import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openJournal } from "../../platform/journal/journal.ts";
import { silentLog } from "../../platform/log.ts";
import { testClickHouse } from "../../platform/testing/stores.ts";
import { placeId, statisticsArea } from "./index.ts";
import { click, impression, session } from "./testing/some-rows.ts";

const clickhouse = await testClickHouse();
const journalDir = await mkdtemp(join(tmpdir(), "journal-"));
afterAll(() => rm(journalDir, { recursive: true }));
const now = Date.parse("2024-11-19T12:00:00Z");
const open = () => statisticsArea({ clickhouse, journalDir, clock: { now: () => now }, log: silentLog });

async function idsOf(ids: AsyncGenerator<string>): Promise<string[]> {
  const found = new Set<string>();
  for await (const id of ids) found.add(id);
  return [...found].toSorted();
}

test("ids of recent events include what an earlier process left behind and the store does not have yet", async () => {
  const left = await openJournal(journalDir, { ship: () => Promise.reject(new Error("away")), log: silentLog });
  await left.append("events", impression("2024-11-19T11:00:00Z", { event_id: "left" }));
  await left.close(0);

  const statistics = await open();
  await statistics.events.append("events", session("2024-11-19T11:30:00Z", { event_id: "new" }));
  await statistics.events.append("events", session("2024-11-18T11:30:00Z", { event_id: "old" }));
  expect(await idsOf(statistics.recentEventIds(Date.parse("2024-11-19T00:00:00Z")))).toContain("left");
  await statistics.flush();
  expect(await idsOf(statistics.recentEventIds(Date.parse("2024-11-19T00:00:00Z")))).toEqual(["left", "new"]);
  await statistics.stop?.();
});

test("recent ids include the places that counted impressions fill, in the journal and in the store, and no others", async () => {
  const at = "2024-11-21T11:00:00Z";
  const [inJournal, inStore, other] = [randomUUID(), randomUUID(), randomUUID()];
  const left = await openJournal(journalDir, { ship: () => Promise.reject(new Error("away")), log: silentLog });
  const of = { auction_id: inJournal, imp_id: "an imp" };
  await left.append("events", impression(at, { ...of, event_id: "i1" }));
  await left.append("events", click(at, { ...of, imp_id: "other", event_id: "c1" }));
  await left.append("events", impression(at, { ...of, imp_id: "other", event_id: "x1", invalid: "crawler" }));
  await left.append("events", impression(at, { auction_id: other, event_id: "i2" }));
  await left.close(0);
  const statistics = await open();
  const ids = () => idsOf(statistics.recentEventIds(Date.parse("2024-11-21T00:00:00Z")));
  const known = [placeId(inJournal, "an imp"), "c1", "i1", "i2", "x1"];
  expect(await ids()).toEqual(known);
  await statistics.events.append("events", impression(at, { auction_id: inStore, imp_id: "2", event_id: "i3" }));
  await statistics.flush();
  expect(await ids()).toEqual([...known, placeId(inStore, "2"), "i3"].toSorted());
  await statistics.stop?.();
});

test("an impression can be seen soon, without anybody flushing", async () => {
  const statistics = await open();
  const today = { ds: "2024-11-19", de: "2024-11-19" };
  const scope = { appIds: [5], range: today, providers: [], formats: [], countries: [] };
  const names = { provider: (id: string) => id, zone: (zone: string) => zone };
  const ordering = { order: "name", order_type: "asc" } as const;
  const seen = async () =>
    (await statistics.of({ scope, compare: "none", metrics: [], view: "date", ordering, names }).totals()).impressions;
  const [before, earned] = [await seen(), await statistics.revenueToday([5])];
  await statistics.events.append("events", impression("2024-11-19T11:59:00Z", { app_id: 5, revenue_micros: 77 }));
  await expect.poll(seen).toBe(before + 1);
  expect(await statistics.revenueToday([5])).toBe(earned + 77);
  await statistics.stop?.();
});
