import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeEach, expect, test } from "vitest";
import { connectClickHouse } from "../clickhouse/connect-clickhouse.ts";
import { testStores } from "../testing/stores.ts";
import { migrateClickHouse } from "./migrate-clickhouse.ts";
import { migratePostgres } from "./migrate-postgres.ts";
import { migrateStores } from "./migrate-stores.ts";
import { readMigrations } from "./read-migrations.ts";
import { splitStatements } from "./split-statements.ts";

const { pg, clickhouse } = await testStores();
const dir = mkdtempSync(join(tmpdir(), "millrace-migrate-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));
beforeEach(async () => {
  rmSync(dir, { recursive: true });
  mkdirSync(join(dir, "postgres"), { recursive: true });
  mkdirSync(join(dir, "clickhouse"));
  await pg.pool.query("drop table if exists schema_migrations, m1, m2");
  for (const name of ["schema_migrations", "m1", "m2"]) {
    await clickhouse.write.command({ query: `DROP TABLE IF EXISTS ${name} SYNC` });
  }
});
const put = (path: string, sql: string): void => writeFileSync(join(dir, path), sql);
const stores = { pool: pg.pool, write: clickhouse.write, migrationsDir: dir };
const count = async (table: string): Promise<number> => {
  const result = await clickhouse.read.query({
    query: `SELECT toUInt32(count()) AS n FROM ${table}`,
    format: "JSONEachRow",
  });
  return (await result.json<{ n: number }>())[0]?.n ?? -1;
};

test("files run in the order of their numbers, each once, in both stores", async () => {
  put("postgres/0002_fill.sql", "insert into m1 values (1);");
  put("postgres/0001_make.sql", "create table m1 (n int); create table m2 (n int);");
  put("clickhouse/0001_make.sql", "CREATE TABLE IF NOT EXISTS m1 (n Int32) ENGINE = MergeTree ORDER BY n;\n-- more;\n");
  const all = ["0001_make.sql", "0002_fill.sql", "0001_make.sql"];
  expect(await migrateStores(stores)).toEqual(all);
  expect(await migrateStores(stores)).toEqual([]);
  put("clickhouse/0002_fill.sql", "INSERT INTO m1 VALUES (1), (2)");
  expect(await migrateStores(stores)).toEqual(["0002_fill.sql"]);
  expect(await migrateStores(stores)).toEqual([]);
  expect((await pg.pool.query("select n from m1")).rows).toEqual([{ n: 1 }]);
  expect(await count("m1")).toBe(2);
});

test("platforms that start at once migrate once", async () => {
  put("postgres/0001_make.sql", "create table m1 (n int); insert into m1 values (1); select pg_sleep(0.2);");
  put("clickhouse/0001_make.sql", "CREATE TABLE m1 (n Int32) ENGINE = MergeTree ORDER BY n");
  const done = await Promise.all([migrateStores(stores), migrateStores(stores), migrateStores(stores)]);
  expect(done.flat().sort()).toEqual(["0001_make.sql", "0001_make.sql"]);
  expect((await pg.pool.query("select n from m1")).rowCount).toBe(1);
});

test("a changed or missing applied file stops the start and is named", async () => {
  put("postgres/0001_make.sql", "create table m1 (n int)");
  put("clickhouse/0001_make.sql", "CREATE TABLE m1 (n Int32) ENGINE = MergeTree ORDER BY n");
  await migrateStores(stores);
  put("clickhouse/0001_make.sql", "CREATE TABLE m1 (n Int64) ENGINE = MergeTree ORDER BY n");
  await expect(migrateStores(stores)).rejects.toThrow("The migration 0001_make.sql was changed after");
  put("postgres/0001_make.sql", "create table m1 (n bigint)");
  await expect(migratePostgres(pg.pool, join(dir, "postgres"))).rejects.toThrow("0001_make.sql was changed after");
  rmSync(join(dir, "postgres", "0001_make.sql"));
  await expect(migratePostgres(pg.pool, join(dir, "postgres"))).rejects.toThrow("which this version does not know");
});

test("a failing PostgreSQL migration is rolled back and runs again once fixed", async () => {
  put("postgres/0001_make.sql", "create table m1 (n int); create table m2 (n nonsense);");
  await expect(migrateStores(stores)).rejects.toThrow(/The migration 0001_make.sql failed: type "nonsense"/);
  expect((await pg.pool.query("select to_regclass('m1') as found")).rows).toEqual([{ found: null }]);
  put("postgres/0001_make.sql", "create table m1 (n int)");
  expect(await migrateStores(stores)).toEqual(["0001_make.sql"]);
});

test("an interrupted ClickHouse migration runs again from its start", async () => {
  const make = "CREATE TABLE IF NOT EXISTS m1 (n Int32) ENGINE = MergeTree ORDER BY n;";
  put("clickhouse/0001_make.sql", `${make} CREATE TABLE IF NOT EXISTS m2 (n Nonsense) ENGINE = Memory;`);
  await expect(migrateClickHouse(clickhouse.write, join(dir, "clickhouse"))).rejects.toThrow(
    /0001_make.sql failed at "CREATE TABLE IF NOT EXISTS m2/,
  );
  put("clickhouse/0001_make.sql", `${make} CREATE TABLE IF NOT EXISTS m2 (n Int32) ENGINE = Memory;`);
  expect(await migrateClickHouse(clickhouse.write, join(dir, "clickhouse"))).toEqual(["0001_make.sql"]);
  expect(await count("m2")).toBe(0);
});

test("a step before an upgrade runs once, before the first new file, and only if there are older tables", async () => {
  const found: number[] = [];
  const beforeUpgrade = async () => void found.push(await count("m1"));
  put("clickhouse/0001_make.sql", "CREATE TABLE IF NOT EXISTS m1 (n Int32) ENGINE = MergeTree ORDER BY n");
  await migrateStores({ ...stores, beforeUpgrade });
  await migrateStores({ ...stores, beforeUpgrade });
  expect(found).toEqual([]);
  put("clickhouse/0002_fill.sql", "INSERT INTO m1 VALUES (1)");
  await migrateStores({ ...stores, beforeUpgrade });
  expect(found).toEqual([0]);
});

test("an invalid name or a duplicate number stops the start", async () => {
  put("postgres/1_short.sql", "");
  await expect(readMigrations(join(dir, "postgres"))).rejects.toThrow("is not called NNNN_name.sql");
  rmSync(join(dir, "postgres", "1_short.sql"));
  put("postgres/0001_a.sql", "");
  put("postgres/0001_b.sql", "");
  await expect(readMigrations(join(dir, "postgres"))).rejects.toThrow("0001_a.sql and 0001_b.sql");
});

test("a semicolon in a string or comment does not end a statement", () => {
  const sql = `SELECT ';', 'it''s; \\'; --', "a;b", \`c;d\` -- not; this\n; /* nor; this */ SELECT 1 / 2 - 1;;\n`;
  expect(splitStatements(sql)).toEqual([`SELECT ';', 'it''s; \\'; --', "a;b", \`c;d\``, "SELECT 1 / 2 - 1"]);
});

test("each of the platform's ClickHouse migrations can run twice", async () => {
  const own = fileURLToPath(new URL("../../../migrations/clickhouse", import.meta.url));
  const database = `${clickhouse.database}_twice`;
  await clickhouse.write.command({ query: `CREATE DATABASE ${database} ENGINE = Atomic` });
  const address = new URL(clickhouse.url);
  address.pathname = `/${database}`;
  const fresh = connectClickHouse(address.href);
  const migrate = () => migrateClickHouse(fresh.write, join(dir, "clickhouse"));
  for (const name of readdirSync(own).toSorted()) {
    cpSync(join(own, name), join(dir, "clickhouse", name));
    expect(await migrate()).toEqual([name]);
    await fresh.write.command({
      query: `ALTER TABLE schema_migrations DELETE WHERE name = '${name}' SETTINGS mutations_sync = 2`,
    });
    expect(await migrate()).toEqual([name]);
  }
  expect(await migrate()).toEqual([]);
  await fresh.close();
  await clickhouse.write.command({ query: `DROP DATABASE ${database} SYNC` });
});
