import { expect, test } from "vitest";
import { z } from "zod";
import { silentLog } from "../log.ts";
import { testPostgres } from "../testing/stores.ts";
import { countJobs, openJobs } from "./index.ts";

const { pool } = await testPostgres();

test("jobs that are due and jobs that will be tried again are counted, and those of later are not due", async () => {
  const jobs = openJobs({ pool, log: silentLog, timing: { pollMs: 100 } });
  const fails = async () => Promise.reject(new Error("always"));
  jobs.define("fails", z.strictObject({}), fails, { retryDelaySeconds: 600 });
  jobs.define("later", z.strictObject({}), async () => undefined);
  await jobs.start();
  await jobs.send("later", {}, { startAfterSeconds: 3600 });
  await jobs.send("fails", {});
  await expect.poll(async () => (await countJobs(pool, new Date())).retrying).toBe(1);
  expect(await countJobs(pool, new Date())).toEqual({ waiting: 0, since: null, retrying: 1 });
  await jobs.stop(200);
  const tomorrow = await countJobs(pool, new Date(Date.now() + 86_400_000));
  expect(tomorrow).toMatchObject({ waiting: 2, retrying: 1 });
  expect(tomorrow.since?.getTime()).toBeGreaterThan(Date.now());
});
