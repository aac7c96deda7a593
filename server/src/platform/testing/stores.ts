import { randomBytes } from "node:crypto";
import { afterAll, inject } from "vitest";
import { connectClickHouse, type ClickHouse } from "../clickhouse/connect-clickhouse.ts";
import { connectPostgres, type Postgres } from "../postgres/connect-postgres.ts";
import { templateDatabase, withDatabase } from "./global-setup.ts";

export type TestStores = {
  pg: Postgres & { url: string };
  clickhouse: ClickHouse & { url: string; database: string };
  /** Drops both databases; called by itself after the file's last test. */
  dispose: () => Promise<void>;
};

/**
 * Empty, migrated stores for one test file: a copied PostgreSQL database and a chDB database. Call it once at the top
 * of the file: `const stores = await testStores();`
 */
export async function testStores(): Promise<TestStores> {
  const { postgresUrl, clickhouseUrl, clickhouseTables } = inject("stores");
  const database = `test_${randomBytes(6).toString("hex")}`;
  const adminUrl = withDatabase(postgresUrl, "postgres");
  await asAdmin(adminUrl, `create database ${database} template ${templateDatabase} strategy file_copy`);
  const pgUrl = withDatabase(postgresUrl, database);
  const pg = connectPostgres(pgUrl, { max: 4 });

  const admin = connectClickHouse(clickhouseUrl);
  await admin.write.command({ query: `CREATE DATABASE ${database} ENGINE = Atomic` });
  const url = withDatabase(clickhouseUrl, database);
  const clickhouse = connectClickHouse(url);
  for (const statement of clickhouseTables)
    await clickhouse.write.command({ query: statement.replaceAll(`${templateDatabase}.`, `${database}.`) });
  await clickhouse.write.command({
    query: `INSERT INTO schema_migrations SELECT * FROM ${templateDatabase}.schema_migrations`,
  });

  let disposed: Promise<void> | undefined;
  const drop = async (): Promise<void> => {
    await Promise.all([pg.close(), clickhouse.close()]);
    await asAdmin(adminUrl, `drop database ${database} with (force)`);
    await admin.write.command({ query: `DROP DATABASE ${database} SYNC` });
    await admin.close();
  };
  const dispose = (): Promise<void> => (disposed ??= drop());
  afterAll(dispose);
  return { pg: { ...pg, url: pgUrl }, clickhouse: { ...clickhouse, url, database }, dispose };
}

async function asAdmin(url: string, statement: string): Promise<void> {
  const admin = connectPostgres(url, { max: 1 });
  await admin.pool.query(statement);
  await admin.close();
}
