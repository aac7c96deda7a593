import type { ClickHouseClient } from "@clickhouse/client";
import { errorMessage } from "../error-message.ts";
import { StartError } from "../start-error.ts";
import { pendingMigrations, readMigrations } from "./read-migrations.ts";
import { splitStatements } from "./split-statements.ts";

/**
 * Applies the new SQL files of `dir` to the connection's database, statement by statement, and records each. ClickHouse
 * has no transactions: an interrupted file runs again from its start, so all its statements must be idempotent (IF NOT
 * EXISTS). Callers hold `withMigrationLock`. `beforeUpgrade` runs before the first file if there are older tables. Returns the applied
 * names. Throws StartError.
 */
export async function migrateClickHouse(
  write: ClickHouseClient,
  dir: string,
  beforeUpgrade?: () => Promise<void>,
): Promise<string[]> {
  const files = await readMigrations(dir);
  await write.command({
    query: `CREATE TABLE IF NOT EXISTS schema_migrations
            (name String, checksum String, applied_at DateTime DEFAULT now()) ENGINE = MergeTree ORDER BY name`,
  });
  const found = await write.query({ query: "SELECT name, checksum FROM schema_migrations", format: "JSONEachRow" });
  const applied = await found.json<{ name: string; checksum: string }>();
  const pending = pendingMigrations(files, new Map(applied.map((row) => [row.name, row.checksum])));
  if (applied.length > 0 && pending.length > 0) await beforeUpgrade?.();
  for (const { name, sql, checksum } of pending) {
    for (const query of splitStatements(sql)) {
      try {
        await write.command({ query });
      } catch (error) {
        const start = query.slice(0, 60).replaceAll(/\s+/g, " ");
        throw new StartError(`The migration ${name} failed at "${start}": ${errorMessage(error)}`);
      }
    }
    await write.insert({
      table: "schema_migrations",
      values: [{ name, checksum }],
      columns: ["name", "checksum"],
      format: "JSONEachRow",
      clickhouse_settings: { insert_deduplication_token: `${name} ${checksum}` },
    });
  }
  return pending.map((file) => file.name);
}
