import { afterAll, expect, test } from "vitest";
import { openJobs } from "../../platform/jobs/index.ts";
import { silentLog } from "../../platform/log.ts";
import { inTransaction } from "../../platform/postgres/in-transaction.ts";
import { testPostgres } from "../../platform/testing/stores.ts";
import { newPerson } from "../../testing/test-platform.ts";
import { ownerMails } from "./owner-mails.ts";

const { pool } = await testPostgres();
const jobs = openJobs({ pool, log: silentLog });
afterAll(() => jobs.stop(200));

test("an outage of the mail server of half an hour loses no owner's mail", async () => {
  let tries = 0;
  const mailer = {
    send: async () => {
      tries++;
      throw new Error("Away");
    },
    forget: async () => 0,
    close: async () => undefined,
  };
  const tellOwner = ownerMails({
    pool,
    mailer,
    jobs,
    publicUrl: "https://millrace.example",
    operatorName: "Example Ads",
    providerNames: async () => new Map(),
  });
  await jobs.start();
  const { accountId } = await newPerson(pool, "owner@example.com");
  const news = { what: "refilled", accountId, amountMicros: 1, balanceMicros: 1, reason: "Wire 7" } as const;
  await inTransaction(pool, (client) => tellOwner(client, news));
  await expect.poll(() => tries).toBe(1);
  const waits = () =>
    pool.query("SELECT retry_limit, retry_delay, retry_backoff FROM pgboss.job WHERE name = 'owner-mail'");
  await expect.poll(async () => (await waits()).rows).toMatchObject([{ retry_backoff: true }]);
  const [job] = (await waits()).rows as { retry_limit: number; retry_delay: number }[];
  // Each pause is twice as long as the previous one, reduced by jitter to half of that at most.
  const atLeastSeconds = ((job?.retry_delay ?? 0) * (2 ** (job?.retry_limit ?? 0) - 1)) / 2;
  expect(atLeastSeconds).toBeGreaterThanOrEqual(1800);
});
