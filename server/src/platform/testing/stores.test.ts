import { expect, test } from "vitest";
import { testStores } from "./stores.ts";

const stores = await testStores();

test("a test file has its own migrated databases in both stores", async () => {
  const { rows } = await stores.pg.pool.query<{ n: string; db: string }>(
    "select count(*) as n, current_database() as db from schema_migrations",
  );
  expect(rows).toEqual([{ n: expect.stringMatching(/^[1-9]/), db: new URL(stores.pg.url).pathname.slice(1) }]);
  const found = await stores.clickhouse.read.query({
    query: "SELECT count() AS n, currentDatabase() AS db FROM schema_migrations",
    format: "JSONEachRow",
  });
  expect(await found.json()).toEqual([{ n: expect.stringMatching(/^[1-9]/), db: stores.clickhouse.database }]);
});
