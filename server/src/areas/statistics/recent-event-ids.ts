import type { ClickHouseClient } from "@clickhouse/client";
import { NO_TIME_LIMIT } from "../../platform/clickhouse/connect-clickhouse.ts";
import type { Journal } from "../../platform/journal/journal.ts";
import type { EventRow } from "./rows.ts";

/** Names the place that a counted impression fills: an imp, as its row has it. No event has such an id. */
export const placeId = (auctionId: string, impId: string): string => `a${auctionId} ${impId}`;

/**
 * Ids of all events since a moment (epoch milliseconds), and of the places that counted impressions fill, some twice: first what an
 * earlier process left in the journal, then what the store has. In this order, so that what is shipped in between is seen in the store.
 */
export async function* recentEventIds(
  { read, journal }: { read: ClickHouseClient; journal: Journal },
  sinceMs: number,
): AsyncGenerator<string> {
  for await (const row of journal.leftovers("events")) {
    const { event_id: id, kind, invalid, auction_id: auctionId, imp_id: impId = "" } = row as EventRow;
    yield id;
    if (impId !== "" && kind === "impression" && invalid === "") yield placeId(auctionId, impId);
  }
  // Of an event that fills no place, the imp is empty.
  const result = await read.query({
    query: `SELECT event_id, if(kind = 'impression' AND invalid = '', toString(imp_id), '') AS imp, if(imp = '', '', toString(auction_id))
      FROM events WHERE at >= toDateTime64({since:UInt32}, 3, 'UTC')`,
    query_params: { since: Math.floor(sinceMs / 1000) },
    format: "JSONCompactEachRow",
    clickhouse_settings: NO_TIME_LIMIT,
  });
  for await (const rows of result.stream<[id: string, impId: string, auctionId: string]>()) {
    for (const row of rows) {
      const [id, impId, auctionId] = row.json();
      yield id;
      if (impId !== "") yield placeId(auctionId, impId);
    }
  }
}
