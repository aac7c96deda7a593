import { setTimeout as pause } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { z } from "zod";
import { silentLog } from "../log.ts";
import { inTransaction } from "../postgres/in-transaction.ts";
import { testPostgres } from "../testing/stores.ts";
import { type Jobs, openJobs } from "./index.ts";

const { pool } = await testPostgres();
const open: Jobs[] = [];
afterEach(async () => {
  for (const jobs of open.splice(0)) await jobs.stop(200);
});

/** Jobs that record what they ran with. Polling is slow here; only the bell starts them at once. */
async function notes() {
  const ran: string[] = [];
  const jobs = openJobs({ pool, log: silentLog, timing: { pollMs: 60_000 } });
  open.push(jobs);
  jobs.define("notes", z.strictObject({ note: z.string() }), async ({ note }) => void ran.push(note));
  await jobs.start();
  await pause(100);
  return { jobs, ran };
}

test("a job sent in a transaction runs immediately after the commit, and not before", async () => {
  const { jobs, ran } = await notes();
  await inTransaction(pool, async (client) => {
    await jobs.send("notes", { note: "kept" }, { client });
    await pause(300);
    expect(ran).toEqual([]);
  });
  await expect.poll(() => ran, { timeout: 3000 }).toEqual(["kept"]);
});

test("jobs of a failed transaction are discarded", async () => {
  const { jobs, ran } = await notes();
  const failing = inTransaction(pool, async (client) => {
    await jobs.send("notes", { note: "of nothing" }, { client });
    throw new Error("not after all");
  });
  await expect(failing).rejects.toThrow("not after all");
  await jobs.send("notes", { note: "another" });
  await expect.poll(() => ran).toEqual(["another"]);
  // The other job leaves the queue a moment after it has run.
  const queued = async () => (await pool.query("SELECT FROM pgboss.job WHERE name = 'notes'")).rowCount;
  await expect.poll(queued).toBe(0);
});

test("transactions that each hold a connection and send a job do not wait for each other", async () => {
  const { jobs, ran } = await notes();
  // More than the pool has connections.
  const all = Array.from({ length: 12 }, (_, nth) => String(nth));
  await Promise.all(all.map((note) => inTransaction(pool, (client) => jobs.send("notes", { note }, { client }))));
  await expect.poll(() => ran.length).toBe(all.length);
  expect(ran.toSorted()).toEqual(all.toSorted());
});
