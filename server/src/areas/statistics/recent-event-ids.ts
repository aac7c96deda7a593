import type { ClickHouseClient } from "@clickhouse/client";
import { NO_TIME_LIMIT } from "../../platform/clickhouse/connect-clickhouse.ts";
import type { Journal } from "../../platform/journal/journal.ts";

/**
 * Ids of all events since a moment (epoch milliseconds), some twice: first what an earlier process left in the journal,
 * then what the store has. In this order, so that what is shipped in between is seen in the store.
 */
export async function* recentEventIds(
  { read, journal }: { read: ClickHouseClient; journal: Journal },
  sinceMs: number,
): AsyncGenerator<string> {
  for await (const row of journal.leftovers("events")) {
    const { event_id: id } = row as { event_id: string };
    yield id;
  }
  const result = await read.query({
    query: "SELECT event_id FROM events WHERE at >= toDateTime64({since:UInt32}, 3, 'UTC')",
    query_params: { since: Math.floor(sinceMs / 1000) },
    format: "JSONCompactEachRow",
    clickhouse_settings: NO_TIME_LIMIT,
  });
  for await (const rows of result.stream<[string]>()) for (const row of rows) yield row.json()[0];
}
