import { decodeTrace } from "@millrace/auction";
import type { Platform, ShownAuction } from "@millrace/contract";
import type { ClickHouseClient } from "@clickhouse/client";
import type { Pool } from "pg";
import { z } from "zod";
import { defineStat, runStat } from "../../platform/clickhouse/define-stat.ts";
import type { Clock } from "../../platform/clock.ts";
import { cacheFor } from "./cache-answer.ts";
import { shownAuction } from "./shown-auction.ts";

/** As some have too few bidders or were late, more are read than shown. */
const MOST_READ = 48;

/** The traces of some apps' newest auctions. Auctions are sorted by app and time, traces by auction, so neither is read as a whole. */
const recentTraces = defineStat({
  name: "recent-traces",
  sql: `WITH newest AS (
      SELECT auction_id, duration_ms FROM auctions
      WHERE app_id IN {apps:Array(UInt32)} AND at >= fromUnixTimestamp64Milli({sinceMs:Int64}, 'UTC')
      ORDER BY at DESC, auction_id LIMIT ${MOST_READ})
    SELECT t.trace AS trace, n.duration_ms AS "durationMs" FROM traces t INNER JOIN newest n ON n.auction_id = t.auction_id
    WHERE t.at >= fromUnixTimestamp64Milli({sinceMs:Int64}, 'UTC') AND t.auction_id IN (SELECT auction_id FROM newest)
    ORDER BY t.at DESC`,
  params: z.object({ apps: z.array(z.int()), sinceMs: z.int() }),
  row: z.object({ trace: z.string(), durationMs: z.number() }),
});

const RECENT_MS = 10 * 60_000;
const MOST_SHOWN = 12;
/** How long all visitors get the same auctions. */
const KEPT_MS = 5000;

interface ShowcaseDeps {
  pool: Pool;
  clickhouse: ClickHouseClient;
  clock: Clock;
}

/** The demo accounts' apps. The sample apps in visitors' accounts are marked as demo too, but belong to the visitors. */
export async function demoApps(pool: Pool): Promise<{ id: number; name: string; platform: Platform }[]> {
  const { rows } = await pool.query<{ id: number; name: string; platform: Platform }>(
    `SELECT id, name, platform FROM apps
     WHERE demo AND deleted_at IS NULL AND account_id IN (SELECT id FROM accounts WHERE demo) ORDER BY id`,
  );
  return rows;
}

/** The latest auctions of the demo's apps, newest first, without those still on their way to the store. */
export function latestAuctions({ pool, clickhouse, clock }: ShowcaseDeps): () => Promise<ShownAuction[]> {
  return cacheFor(KEPT_MS, clock, async () => {
    const apps = (await demoApps(pool)).map(({ id }) => id);
    const rows = await runStat(clickhouse, recentTraces, { apps, sinceMs: clock.now() - RECENT_MS });
    return rows.flatMap((row) => shown(row) ?? []).slice(0, MOST_SHOWN);
  });
}

/**
 * Null for an auction that is not shown, and for a trace of another version. One that ended after its deadline shows a busy
 * server, and no auction as it is meant to be.
 */
function shown({ trace, durationMs }: { trace: string; durationMs: number }): ShownAuction | null {
  try {
    const decoded = decodeTrace(new TextEncoder().encode(trace));
    return durationMs > decoded.input.deadlineMs ? null : shownAuction(decoded);
  } catch {
    return null;
  }
}
