import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openJournal } from "../../platform/journal/journal.ts";
import { silentLog } from "../../platform/log.ts";
import { testClickHouse } from "../../platform/testing/stores.ts";
import { campaignImpressionsSince } from "./campaign-impressions.ts";
import { statisticsArea } from "./index.ts";
import type { EventRow } from "./rows.ts";
import { click, impression, keep } from "./testing/some-rows.ts";

const clickhouse = await testClickHouse();
const journalDir = await mkdtemp(join(tmpdir(), "journal-"));
afterAll(() => rm(journalDir, { recursive: true }));
const clock = { now: () => Date.parse("2026-03-10T12:00:00Z") };
const DAY = Date.parse("2026-03-10T00:00:00Z");

const shown = (time: string, device: string, row: Partial<EventRow> = {}): EventRow =>
  impression(`2026-03-10T${time}Z`, { provider: "campaigns", campaign_id: 7, device, ...row });

test("a campaign's impressions are read once each: shipped, left by an earlier process, and on their way", async () => {
  await keep(clickhouse, {
    events: [
      shown("01:00:00.123", "18446744073709551615"),
      shown("01:00:01", "2", { campaign_id: 8 }),
      shown("01:00:02", "3", { campaign_id: 9 }),
      shown("01:00:03", "4", { campaign_id: 0, provider: "aurora" }),
      shown("01:00:04", "5", { invalid: "crawler" }),
      click("2026-03-10T01:00:05Z", { campaign_id: 7, device: "6" }),
      impression("2026-03-09T23:59:59.999Z", { campaign_id: 7, device: "7" }),
    ],
  });
  const left = await openJournal(journalDir, { ship: () => Promise.reject(new Error("away")), log: silentLog });
  await left.append("events", shown("02:00:00", "8"));
  await left.close(0);

  const statistics = await statisticsArea({ clickhouse, journalDir, clock, log: silentLog });
  const appending = statistics.events.append("events", shown("03:00:00", "9"));
  const devices = async (since = DAY) => {
    const found: string[] = [];
    for await (const { campaignId, device, atMs } of statistics.campaignImpressionsSince([7, 8], since))
      found.push(`${campaignId} ${device} ${new Date(atMs).toISOString().slice(11)}`);
    return found.toSorted();
  };
  const all = ["7 18446744073709551615 01:00:00.123Z", "7 8 02:00:00.000Z", "7 9 03:00:00.000Z", "8 2 01:00:01.000Z"];
  // Twice: while rows are on their way, and when all have been shipped.
  expect([await devices(), await devices()]).toEqual([all, all]);
  await appending;
  expect(await devices(DAY + 2 * 3_600_000)).toEqual(all.slice(1, 3));
  await statistics.stop?.();
});

test("while the store is away, reading fails and does not leave out what waits for it", async () => {
  const dir = await mkdtemp(join(tmpdir(), "journal-"));
  const journal = await openJournal(dir, { ship: () => Promise.reject(new Error("away")), log: silentLog });
  await journal.append("events", shown("04:00:00", "9"));
  const impatient = { flush: () => journal.flush(100) };
  const reading = campaignImpressionsSince({ read: clickhouse.read, journal: impatient }, [7], DAY);
  await expect(reading.next()).rejects.toMatchObject({ code: "unavailable" });
  await journal.close(0);
  await rm(dir, { recursive: true });
});
