import type { ClickHouseClient } from "@clickhouse/client";
import { NO_TIME_LIMIT } from "../../platform/clickhouse/connect-clickhouse.ts";
import type { Journal } from "../../platform/journal/journal.ts";

/**
 * The counted impressions of these campaigns since a moment (epoch milliseconds), once each. Rows on their way are shipped
 * first; Problem `unavailable` if the store does not take them in time.
 */
export async function* campaignImpressionsSince(
  { read, journal }: { read: ClickHouseClient; journal: Pick<Journal, "flush"> },
  campaignIds: readonly number[],
  sinceMs: number,
): AsyncGenerator<{ campaignId: number; device: string; atMs: number }> {
  await journal.flush();
  const result = await read.query({
    query: `
SELECT campaign_id, toString(device), toUnixTimestamp64Milli(at)
FROM events
WHERE at >= fromUnixTimestamp64Milli({sinceMs:Int64}) AND kind = 'impression' AND invalid = ''
    AND campaign_id IN {campaignIds:Array(UInt32)}`,
    query_params: { campaignIds: [...campaignIds], sinceMs: Math.floor(sinceMs) },
    format: "JSONCompactEachRow",
    clickhouse_settings: NO_TIME_LIMIT,
  });
  for await (const rows of result.stream<[number, string, string]>()) {
    for (const row of rows) {
      const [campaignId, device, atMs] = row.json();
      yield { campaignId, device, atMs: Number(atMs) };
    }
  }
}
