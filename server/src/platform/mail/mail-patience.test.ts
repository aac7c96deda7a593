import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { openJobs } from "../jobs/index.ts";
import { silentLog } from "../log.ts";
import { testPostgres } from "../testing/stores.ts";
import { MAIL_PATIENCE } from "./index.ts";

const { pool } = await testPostgres();
const HOUR_SECONDS = 3600;

/** How long and how often a mail is tried that always fails with this error; the waiting is left out. */
async function patienceWith(error: Error): Promise<{ tries: number; seconds: number }> {
  const jobs = openJobs({ pool, log: silentLog, timing: { pollMs: 20 } });
  onTestFinished(() => jobs.stop(200));
  let [tries, seconds] = [0, 0];
  jobs.define(
    "mail",
    z.strictObject({}),
    async () => {
      tries++;
      throw error;
    },
    // A second worker would meet a job that is hurried before the first has let go of it, which counts as a try.
    { ...MAIL_PATIENCE, concurrency: 1 },
  );
  await jobs.start();
  await jobs.send("mail", {});
  const hurry = async (): Promise<boolean> => {
    const { rows } = await pool.query<{ seconds: number }>(
      `UPDATE pgboss.job j SET start_after = now() FROM pgboss.job was
       WHERE j.id = was.id AND j.name = 'mail' AND j.state = 'retry' AND was.start_after > now()
       RETURNING extract(epoch FROM was.start_after - now())::float AS seconds`,
    );
    seconds += rows[0]?.seconds ?? 0;
    const { rowCount } = await pool.query("SELECT FROM pgboss.job WHERE name = 'mail'");
    return rowCount === 0;
  };
  await expect.poll(hurry, { timeout: 60_000 }).toBe(true);
  return { tries, seconds };
}

test("a mail server that is away for a night loses no mail", async () => {
  const { tries, seconds } = await patienceWith(new Error("connect ECONNREFUSED"));
  expect(tries).toBe(13);
  expect(seconds).toBeGreaterThan(16 * HOUR_SECONDS);
}, 90_000);

test("the server gives a mail up after an hour or two if it refuses the recipient", async () => {
  const refusal = Object.assign(new Error("No such user"), { command: "RCPT TO", responseCode: 550 });
  const { tries, seconds } = await patienceWith(refusal);
  expect(tries).toBe(9);
  expect(seconds).toBeLessThan(2.5 * HOUR_SECONDS);
}, 90_000);
