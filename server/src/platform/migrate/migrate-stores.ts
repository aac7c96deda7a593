import { join } from "node:path";
import type { ClickHouseClient } from "@clickhouse/client";
import type { Pool } from "pg";
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
  const clickhouse = await withMigrationLock(pool, () =>
    migrateClickHouse(write, join(migrationsDir, "clickhouse"), beforeUpgrade),
  );
  return [...postgres, ...clickhouse];
}
