import type { ClickHouseClient } from "@clickhouse/client";
import { PLAYER_EVENTS } from "@millrace/contract";
import { z } from "zod";
import { countColumn, defineStat, runStat } from "../../../platform/clickhouse/define-stat.ts";

export interface TraceStore {
  clickhouse: ClickHouseClient;
  /** Resolves once recent rows can be read. */
  look(): Promise<void>;
}

/** The stored trace of one auction. */
const traceOf = defineStat({
  name: "trace-of-auction",
  sql: "SELECT app_id, trace FROM traces WHERE auction_id = {id:UUID} LIMIT 1",
  params: z.object({ id: z.uuid() }),
  row: z.object({ app_id: countColumn, trace: z.string() }),
});

/** The player events of one auction's ads, each once, in order. */
const playerEventsOf = defineStat({
  name: "player-events-of-auction",
  sql: `SELECT any(provider) AS provider, any(event) AS event, any(error_code) AS error_code,
      toUnixTimestamp64Milli(min(at)) AS at_ms
    FROM player_events WHERE app_id = {app:UInt32} AND auction_id = {id:UUID}
    GROUP BY event_id ORDER BY at_ms, event LIMIT 200`,
  params: z.object({ app: z.int(), id: z.uuid() }),
  row: z.object({
    provider: z.string(),
    event: z.enum([...PLAYER_EVENTS, "error"]),
    error_code: countColumn,
    at_ms: countColumn,
  }),
});

/** The events of video and audio players after an auction, in order; empty if there were none. */
export const findPlayerEvents = ({ clickhouse }: TraceStore, appId: number, auctionId: string) =>
  runStat(clickhouse, playerEventsOf, { app: appId, id: auctionId });

export interface StoredTrace {
  appId: number;
  /** The trace exactly as recorded. */
  bytes: Uint8Array;
}

/** The trace of an auction; null if none was kept. */
export async function findTrace({ clickhouse, look }: TraceStore, auctionId: string): Promise<StoredTrace | null> {
  await look();
  const [row] = await runStat(clickhouse, traceOf, { id: auctionId });
  return row ? { appId: row.app_id, bytes: new TextEncoder().encode(row.trace) } : null;
}
