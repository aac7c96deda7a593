import type { ClickHouseClient } from "@clickhouse/client";
import type { Pool } from "pg";
import { raiseInvoiceNumbers } from "./invoice-numbers.ts";
import type { Log } from "./platform/log.ts";
import { withMigrationLock } from "./platform/migrate/migrate-postgres.ts";

/** The tables of which ClickHouse's rows have the ids. In-house campaigns and line items get theirs from campaigns' sequence. */
type Table = "apps" | "campaigns" | "creatives";

/** Of rollups, which are small and kept for good. */
const LARGEST_IDS = `
SELECT
    (SELECT max(app_id) FROM sums_daily) AS apps,
    greatest(
        (SELECT max(campaign_id) FROM campaign_hourly),
        (SELECT max(campaign_id) FROM campaign_misses_hourly),
        (SELECT max(line_item_id) FROM line_items_hourly)
    ) AS campaigns,
    (SELECT max(creative_id) FROM campaign_hourly) AS creatives`;

/**
 * Lets new apps, campaigns and creatives get ids that no row of ClickHouse has, and documents numbers that it does not know. A PostgreSQL that
 * was restored from an older copy would give those of its lost ones again, and with them their statistics and what they earned. Both
 * stores are migrated.
 */
export async function raiseSequences(pool: Pool, clickhouse: ClickHouseClient, log: Log): Promise<void> {
  await withMigrationLock(pool, async (client) => {
    await raiseInvoiceNumbers(client, clickhouse, log);
    const found = await clickhouse.query({ query: LARGEST_IDS, format: "JSONEachRow" });
    const [largest] = await found.json<Record<Table, number>>();
    if (!largest) return;
    for (const table of ["apps", "campaigns", "creatives"] as const) {
      const { rowCount } = await client.query(
        `SELECT setval(format('%I.%I', schemaname, sequencename)::regclass, $2::bigint) FROM pg_sequences
         WHERE format('%I.%I', schemaname, sequencename) = pg_get_serial_sequence($1, 'id') AND coalesce(last_value, 0) < $2::bigint`,
        [table, largest[table]],
      );
      if (rowCount === 1)
        log.warn(
          { table, id: largest[table] },
          "ClickHouse has rows of later ids than PostgreSQL, as after a restore; new ones begin after them",
        );
    }
  });
}
