import { expect, test } from "vitest";
import { Registry } from "prom-client";
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
  expect(await countJobs(pool, new Date())).toEqual({
    waiting: 0,
    since: null,
    retrying: 1,
    failed: { count: 0, since: null },
  });
  await jobs.stop(200);
  const tomorrow = await countJobs(pool, new Date(Date.now() + 86_400_000));
  expect(tomorrow).toMatchObject({ waiting: 2, retrying: 1 });
  expect(tomorrow.since?.getTime()).toBeGreaterThan(Date.now());
});

test("a job that is given up is remembered and counted, and mails are told apart from all others", async () => {
  const metrics = new Registry();
  const jobs = openJobs({ pool, log: silentLog, metrics, timing: { pollMs: 100 } });
  const fails = async () => Promise.reject(new Error("always"));
  jobs.define("lost-mail", z.strictObject({}), fails, { retryLimit: 0 });
  jobs.define("tried-again", z.strictObject({}), fails, { retryDelaySeconds: 600 });
  const counted = async () => (await metrics.getSingleMetric("millrace_job_failures_total")?.get())?.values ?? [];
  const series = async () =>
    Object.fromEntries((await counted()).map(({ labels, value }) => [`${labels["kind"]} ${labels["outcome"]}`, value]));
  expect(await series()).toEqual({ "mail retried": 0, "mail given_up": 0, "other retried": 0, "other given_up": 0 });
  await jobs.start();
  await jobs.send("lost-mail", {});
  await jobs.send("tried-again", {});
  await expect.poll(series).toEqual({ "mail retried": 0, "mail given_up": 1, "other retried": 1, "other given_up": 0 });
  const now = Date.now();
  expect((await countJobs(pool, new Date(now))).failed.count).toBe(1);
  expect((await countJobs(pool, new Date(now + 8 * 86_400_000))).failed).toEqual({ count: 0, since: null });
  await jobs.stop(200);
});
