import { randomUUID } from "node:crypto";
import { DAY_MS, HOUR_MS } from "@millrace/units";
import { afterAll, expect, test } from "vitest";
import { openJobs } from "../../platform/jobs/index.ts";
import { silentLog } from "../../platform/log.ts";
import { testPostgres } from "../../platform/testing/stores.ts";
import { newPerson } from "../../testing/test-platform.ts";
import { defineModerationMails } from "./moderation-mails.ts";

const { pool } = await testPostgres();
let nowMs = Date.UTC(2026, 10, 20, 12);
const sent: { to: string; subject: string; text: string }[] = [];
const jobs = openJobs({ pool, log: silentLog, timing: { pollMs: 50 } });
defineModerationMails({
  pool,
  clock: { now: () => nowMs },
  mailer: { send: async (mail) => void sent.push(mail), forget: async () => 0, close: async () => undefined },
  jobs,
  publicUrl: "https://millrace.example",
  operatorName: "Example Ads",
});
await jobs.start();
afterAll(() => jobs.stop(200));

/** Looks once, and returns the subjects of the mails that this sent. */
async function look(): Promise<string[]> {
  await jobs.send("look-at-moderation", {});
  const left = () => pool.query("SELECT FROM pgboss.job WHERE name IN ('look-at-moderation', 'moderation-mail')");
  await expect.poll(async () => (await left()).rowCount).toBe(0);
  return sent.splice(0).map(({ to, subject }) => `${to}: ${subject}`);
}

test("admins are told when apps begin to wait for moderation, again a day later, and not in between", async () => {
  await newPerson(pool, "boss@example.com", { role: "admin" });
  const { accountId } = await newPerson(pool, "ada@example.com");
  const addApp = () =>
    pool.query(
      `INSERT INTO apps (account_id, uuid, name, bundle_id, platform, moderation) VALUES ($1, $2, 'A game', 'com.example', 'android', 'check')`,
      [accountId, randomUUID()],
    );
  expect(await look()).toEqual([]);
  await addApp();
  expect(await look()).toEqual(["boss@example.com: 1 app waits for moderation"]);
  await addApp();
  nowMs += 23 * HOUR_MS;
  expect(await look()).toEqual([]);
  nowMs += HOUR_MS;
  expect(await look()).toEqual(["boss@example.com: 2 apps wait for moderation"]);
  // Once all are decided, the next one is news.
  await pool.query("UPDATE apps SET moderation = 'live'");
  expect(await look()).toEqual([]);
  await addApp();
  expect(await look()).toEqual(["boss@example.com: 1 app waits for moderation"]);
  nowMs += DAY_MS;
  await pool.query("UPDATE accounts SET deleted_at = now() WHERE id = $1", [accountId]);
  expect(await look()).toEqual([]);
});
