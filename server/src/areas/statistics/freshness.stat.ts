import { z } from "zod";
import { countColumn, defineStat } from "../../platform/clickhouse/define-stat.ts";

/** The newest event that the store has since a moment (Unix seconds); 0 when there is none. */
export const newestEvent = defineStat({
  name: "newest-event",
  sql: `
SELECT toUnixTimestamp64Milli(max(at)) AS newestMs
FROM events
WHERE at > toDateTime64({since:UInt32}, 3, 'UTC')`,
  params: z.object({ since: z.int() }),
  row: z.object({ newestMs: countColumn }),
});
