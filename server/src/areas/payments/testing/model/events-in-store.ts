import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import type { ClickHouse } from "../../../../platform/clickhouse/connect-clickhouse.ts";
import { silentLog } from "../../../../platform/log.ts";
import { statisticsArea } from "../../../statistics/index.ts";
import { impression, keep } from "../../../statistics/testing/some-rows.ts";
import type { Events } from "./real-books.ts";

/** Events as rows of the analytical store, read as the platform reads them. */
export async function eventsInStore(clickhouse: ClickHouse): Promise<Events> {
  const journalDir = await mkdtemp(join(tmpdir(), "millrace-model-"));
  const clock = { now: () => Date.now() };
  const { books, partnerHours, stop } = await statisticsArea({
    clickhouse,
    journalDir,
    clock,
    log: silentLog,
    retires: false,
  });
  afterAll(async () => {
    await stop?.();
    await rm(journalDir, { recursive: true });
  });
  return {
    books,
    partnerHours,
    async happen({ day, appId, provider, campaignId, grossMicros, revenueMicros }) {
      const row = impression(`${day}T12:00:00Z`, {
        app_id: appId,
        provider,
        campaign_id: campaignId,
        gross_micros: Number(grossMicros),
        revenue_micros: Number(revenueMicros),
      });
      await keep(clickhouse, { events: [row] });
    },
    async clear() {
      for (const table of ["events", "earnings_daily", "stats_hourly"])
        await clickhouse.write.command({ query: `TRUNCATE TABLE ${table}` });
    },
  };
}
