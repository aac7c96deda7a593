import { setTimeout as pause } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { silentLog } from "../log.ts";
import { connectPostgres } from "../postgres/connect-postgres.ts";
import { testPostgres } from "../testing/stores.ts";
import { openJobs } from "./index.ts";

const { pool, url } = await testPostgres();

test("no other platform takes over a job that has run while the store is slow to keep its result", async () => {
  let end: (() => void) | undefined;
  let runs = 0;
  const warned: string[] = [];
  const log = { ...silentLog, warn: (_: object, message: string) => void warned.push(message) };
  const start = async () => {
    const jobs = openJobs({ pool, log, timing: { pollMs: 50, superviseSeconds: 1, abandonedAfterSeconds: 0 } });
    onTestFinished(() => jobs.stop(200));
    jobs.define("slow-to-keep", z.strictObject({}), () => {
      runs++;
      return new Promise<void>((resolve) => (end = resolve));
    });
    await jobs.start();
    return jobs;
  };
  const slow = connectPostgres(url, { max: 1 });
  onTestFinished(() => slow.close());
  await (await start()).send("slow-to-keep", {});
  await expect.poll(() => end).toBeDefined();
  await start();
  const client = await slow.pool.connect();
  await client.query("BEGIN; SELECT FROM pgboss.job WHERE name = 'slow-to-keep' FOR UPDATE");
  end?.();
  // Each platform looks for abandoned jobs in the meantime.
  await pause(2500);
  await client.query("ROLLBACK");
  client.release();
  const left = async () => (await pool.query("SELECT FROM pgboss.job WHERE name = 'slow-to-keep'")).rowCount;
  await expect.poll(left).toBe(0);
  expect([runs, warned]).toEqual([1, []]);
});
