import { join } from "node:path";
import type { ClickHouseClient } from "@clickhouse/client";
import type { Pool } from "pg";
import { StartError } from "../start-error.ts";
import { migrateClickHouse } from "./migrate-clickhouse.ts";
import { migratePostgres, withMigrationLock } from "./migrate-postgres.ts";

/**
 * Migrates both stores to this version, from the folders `postgres` and `clickhouse` of `migrationsDir`. Several
 * platforms may start at once: an advisory lock of PostgreSQL lets one of them migrate both stores.
 */
export async function migrateStores(stores: {
  pool: Pool;
  write: ClickHouseClient;
  migrationsDir: string;
  /** Runs before ClickHouse's older tables are changed. */
  beforeUpgrade?: () => Promise<void>;
}): Promise<string[]> {
  const { pool, write, migrationsDir, beforeUpgrade } = stores;
  const postgres = await migratePostgres(pool, join(migrationsDir, "postgres"));
  const clickhouse = await withMigrationLock(pool, async () => {
    await assertMoved(write);
    return migrateClickHouse(write, join(migrationsDir, "clickhouse"), beforeUpgrade);
  });
  return [...postgres, ...clickhouse];
}

/** A table that is there while events are moved into the database. */
export const UNFINISHED_MOVE = "unfinished_move";

async function assertMoved(write: ClickHouseClient): Promise<void> {
  const found = await write.query({ query: `EXISTS TABLE ${UNFINISHED_MOVE}`, format: "JSONEachRow" });
  if ((await found.json<{ result: number }>())[0]?.result !== 1) return;
  throw new StartError(
    "Not all events were moved into the database of CLICKHOUSE_URL. Empty it, and repeat `npx millrace move events`, or start without CLICKHOUSE_URL.",
  );
}
