import { randomBytes } from "node:crypto";
import { afterAll, inject } from "vitest";
import { connectClickHouse, type ClickHouse } from "../clickhouse/connect-clickhouse.ts";
import { connectPostgres, type Postgres } from "../postgres/connect-postgres.ts";
import { templateBackup, templateDatabase, withDatabase } from "./global-setup.ts";

type TestPostgres = Postgres & { url: string };
type TestClickHouse = ClickHouse & { url: string; database: string };
export type TestStores = {
  pg: TestPostgres;
  clickhouse: TestClickHouse;
  /** Drops both databases; called by itself after the file's last test. */
  dispose: () => Promise<void>;
};

/**
 * Empty, migrated stores for one test file: a copied PostgreSQL database and a restored chDB database. Call it once at the top
 * of the file: `const stores = await testStores();`. A file that needs one of them asks for that one only.
 */
export async function testStores(): Promise<TestStores> {
  const [pg, clickhouse] = await Promise.all([newPostgres(), newClickHouse()]);
  const dispose = once(async () => void (await Promise.all([pg.drop(), clickhouse.drop()])));
  afterAll(dispose);
  return { pg: pg.store, clickhouse: clickhouse.store, dispose };
}

/** The PostgreSQL database alone; dropped after the file's last test. */
export async function testPostgres(): Promise<TestPostgres> {
  const { store, drop } = await newPostgres();
  afterAll(drop);
  return store;
}

/** The chDB database alone; dropped after the file's last test. */
export async function testClickHouse(): Promise<TestClickHouse> {
  const { store, drop } = await newClickHouse();
  afterAll(drop);
  return store;
}

const newName = (): string => `test_${randomBytes(6).toString("hex")}`;

async function newPostgres(): Promise<{ store: TestPostgres; drop: () => Promise<void> }> {
  const { postgresUrl } = inject("stores");
  const database = newName();
  const adminUrl = withDatabase(postgresUrl, "postgres");
  await asAdmin(adminUrl, `create database ${database} template ${templateDatabase} strategy file_copy`);
  const url = withDatabase(postgresUrl, database);
  const pg = connectPostgres(url, { max: 4 });
  const drop = async (): Promise<void> => {
    await pg.close();
    await asAdmin(adminUrl, `drop database ${database} with (force)`);
  };
  return { store: { ...pg, url }, drop };
}

async function newClickHouse(): Promise<{ store: TestClickHouse; drop: () => Promise<void> }> {
  const { clickhouseUrl } = inject("stores");
  const database = newName();
  const admin = connectClickHouse(clickhouseUrl);
  await admin.write.command({ query: `RESTORE DATABASE ${templateDatabase} AS ${database} FROM ${templateBackup}` });
  const url = withDatabase(clickhouseUrl, database);
  const clickhouse = connectClickHouse(url);
  const drop = async (): Promise<void> => {
    await clickhouse.close();
    await admin.write.command({ query: `DROP DATABASE ${database} SYNC` });
    await admin.close();
  };
  return { store: { ...clickhouse, url, database }, drop };
}

/** Runs at its first call; later ones wait for that. */
function once(run: () => Promise<void>): () => Promise<void> {
  let ran: Promise<void> | undefined;
  return () => (ran ??= run());
}

async function asAdmin(url: string, statement: string): Promise<void> {
  const admin = connectPostgres(url, { max: 1 });
  await admin.pool.query(statement);
  await admin.close();
}
