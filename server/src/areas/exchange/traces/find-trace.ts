import type { ClickHouseClient } from "@clickhouse/client";
import { z } from "zod";
import { countColumn, defineStat, runStat } from "../../../platform/clickhouse/define-stat.ts";

/** The stored trace of one auction. */
const traceOf = defineStat({
  name: "trace-of-auction",
  sql: "SELECT app_id, trace FROM traces WHERE auction_id = {id:UUID} LIMIT 1",
  params: z.object({ id: z.uuid() }),
  row: z.object({ app_id: countColumn, trace: z.string() }),
});

export interface StoredTrace {
  appId: number;
  /** The very bytes that were recorded. */
  bytes: Uint8Array;
}

/** The trace of an auction; null where none was kept. */
export async function findTrace(read: ClickHouseClient, auctionId: string): Promise<StoredTrace | null> {
  const [row] = await runStat(read, traceOf, { id: auctionId });
  return row ? { appId: row.app_id, bytes: new TextEncoder().encode(row.trace) } : null;
}
