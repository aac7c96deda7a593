import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { z } from "zod";
import { silentLog } from "../log.ts";
import { testStores } from "../testing/stores.ts";
import { openJobs } from "./index.ts";

const { pool } = (await testStores()).pg;
const POLL_MS = 50;

test("a queue that cannot be read is logged once, and its jobs run when it can be read again", async () => {
  const logged: object[] = [];
  const log = {
    ...silentLog,
    warn: (facts: object, message: string) => {
      if (message === "the jobs of a queue cannot be read, and wait") logged.push(facts);
    },
  };
  const jobs = openJobs({ pool, log, timing: { pollMs: POLL_MS } });
  const ran: string[] = [];
  jobs.define("unreadable", z.strictObject({ note: z.string() }), async ({ note }) => void ran.push(note));
  await jobs.start();
  await jobs.send("unreadable", { note: "before" });
  await expect.poll(() => ran).toEqual(["before"]);
  await pool.query("ALTER TABLE pgboss.job RENAME TO away");
  await expect.poll(() => logged).toMatchObject([{ queue: "unreadable" }]);
  await pause(10 * POLL_MS);
  await pool.query("ALTER TABLE pgboss.away RENAME TO job");
  await jobs.send("unreadable", { note: "after" });
  await expect.poll(() => ran).toEqual(["before", "after"]);
  expect(logged).toHaveLength(1);
  await jobs.stop();
});
