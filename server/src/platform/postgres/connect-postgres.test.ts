import { expect, test } from "vitest";
import { isConnectionLoss, retryOnConnectionLoss } from "../retry-on-connection-loss.ts";
import { sleep } from "../waiting.ts";
import { postgresFirewall } from "../testing/start-firewall.ts";
import { testPostgres } from "../testing/stores.ts";
import { connectPostgres } from "./connect-postgres.ts";
import { inTransaction } from "./in-transaction.ts";

const pg = await testPostgres();

/** Ends all connections of the pool except the calling one, as a server that shuts down does (57P01). */
async function cutIdleConnections(): Promise<void> {
  await pg.pool.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
  );
}

test("an idle connection that breaks neither ends the process nor fails the next query", async () => {
  await Promise.all(Array.from({ length: 4 }, () => pg.pool.query("select pg_sleep(0.05)")));
  expect(pg.pool.idleCount).toBe(4);
  await cutIdleConnections();
  await expect.poll(() => pg.pool.idleCount).toBe(1);
  expect((await pg.pool.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
});

test("a connection that breaks within a transaction, between two statements, fails it and not the process", async () => {
  const waiting = inTransaction(pg.pool, async (client) => {
    await client.query("select 1");
    await cutIdleConnections();
    // The process hears of it before the next statement.
    await sleep(50);
    await client.query("select 1");
  });
  const failed: unknown = await waiting.catch((error: unknown) => error);
  expect(isConnectionLoss(failed)).toBe(true);
  expect((await pg.pool.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
});

test("a statement has a time limit", async () => {
  const hasty = connectPostgres(pg.url, { statementTimeoutMs: 50 });
  await expect(hasty.pool.query("select pg_sleep(5)")).rejects.toMatchObject({ code: "57014" });
  await hasty.close();
});

test("a connection that answers nothing any more fails its statement, and the next one has another connection", async () => {
  const between = await postgresFirewall(pg.url);
  const hasty = connectPostgres(between.url, { statementTimeoutMs: 100, max: 1 });
  for (const work of [
    () => hasty.pool.query("select 1 as one"),
    () => inTransaction(hasty.pool, (client) => client.query("select 1 as one")),
  ]) {
    await work();
    between.forget("kept");
    const failed: unknown = await work().catch((error: unknown) => error);
    expect(isConnectionLoss(failed)).toBe(true);
    expect((await work()).rows).toEqual([{ one: 1 }]);
  }
  await hasty.close();
});

test("taking a connection gives up at its deadline, and its error is recognized as a cause too", async () => {
  const nowhere = connectPostgres("postgresql://millrace@localhost/x?host=/no/such/folder", { connectDeadlineMs: 100 });
  const began = performance.now();
  await expect(nowhere.pool.query("select 1")).rejects.toMatchObject({ code: "ENOENT" });
  expect(performance.now() - began).toBeGreaterThan(50);
  const failed: unknown = await nowhere.pool.connect().catch((error: unknown) => error);
  expect(isConnectionLoss(new Error("could not save", { cause: failed }))).toBe(true);
  await nowhere.close();
});

test("only a lost connection is tried again, and only until the deadline", async () => {
  const refused = await pg.pool.query("select nope").catch((error: unknown) => error);
  expect(isConnectionLoss(refused)).toBe(false);
  let attempts = 0;
  const failing = (message: string) => async () => {
    attempts += 1;
    throw Object.assign(new Error(message), { code: message });
  };
  await expect(retryOnConnectionLoss(failing("23505"), { deadlineMs: 5_000 })).rejects.toThrow("23505");
  expect(attempts).toBe(1);
  await expect(retryOnConnectionLoss(failing("ECONNREFUSED"), { deadlineMs: 100 })).rejects.toThrow("ECONNREFUSED");
  expect(attempts).toBeGreaterThan(3);
});
