import { setImmediate } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { testPostgres } from "../testing/stores.ts";
import { JobLocks } from "./job-locks.ts";

const { pool } = await testPostgres();

test("many jobs that start and end at once ask the store one after another, and each gets its lock once", async () => {
  const warnings: string[] = [];
  const onWarning = ({ message }: Error) => void warnings.push(message);
  process.on("warning", onWarning);
  onTestFinished(() => void process.off("warning", onWarning));
  const [here, elsewhere] = [new JobLocks(pool), new JobLocks(pool)];
  const jobs = Array.from({ length: 8 }, (_, nth) => `job ${nth}`);
  const takeAll = (locks: JobLocks) => Promise.all(jobs.map((job) => locks.take(job)));
  expect(await takeAll(here)).toEqual(jobs.map(() => true));
  expect(await takeAll(here)).toEqual(jobs.map(() => false));
  expect(await takeAll(elsewhere)).toEqual(jobs.map(() => false));
  await Promise.all(jobs.map((job) => here.release(job)));
  expect(await takeAll(elsewhere)).toEqual(jobs.map(() => true));
  await Promise.all(jobs.map((job) => elsewhere.release(job)));
  // The driver warns of a client that is asked while it waits for an answer.
  await setImmediate();
  expect(warnings).toEqual([]);
});
