import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { freePort } from "../../platform/http/free-port.ts";
import { testStores } from "../../platform/testing/stores.ts";
import { newPerson, sessionOf, testPlatform } from "../../testing/test-platform.ts";
import { mailServer } from "./testing/mail-server.ts";
import { NEWS_LIST, NEWS_QUEUE, type NewsRow, newsMailOf } from "./news-store.ts";

const smtpPort = await freePort("127.0.0.1");
const SMTP_URL = `smtp://127.0.0.1:${smtpPort}`;
const stores = await testStores();
const { pool, ask } = await testPlatform(stores, { SMTP_URL });
const desk = { cookie: await sessionOf(pool, await newPerson(pool, "desk@example.com", { role: "admin" })) };

/** The only subscribers. */
async function readers(...emails: string[]): Promise<void> {
  for (const email of emails) await newPerson(pool, email);
  await pool.query("UPDATE users SET is_subscribed = email = ANY($1)", [emails]);
}
async function sendNews(subject: string): Promise<string> {
  const key = randomUUID();
  const { status } = await ask(desk, "POST", "/admin/news.json", { subject, message: "Text", key });
  expect(status).toBe(200);
  return key;
}
const sendAgain = (uuid: string, state: "failed" | "unknown") =>
  ask(desk, "POST", `/admin/news/${uuid}/send_again`, { state });
async function countsOf(uuid: string) {
  const { rows } = await pool.query<NewsRow>(`SELECT ${NEWS_LIST.columns} FROM ${NEWS_LIST.from}`, [uuid]);
  return rows[0] && newsMailOf(rows[0]).counts;
}
const NONE = { sent: 0, waiting: 0, failed: 0, refused: 0, left_out: 0, unknown: 0 };
const SLOW = { timeout: 20_000, interval: 50 };
test("mails that wait after the last try are shown as failed, and an admin can send them again once", async () => {
  await readers("one@a.test", "two@a.test");
  const uuid = await sendNews("The mail server is away");
  const isRetried = async () =>
    (await pool.query("SELECT FROM pgboss.job WHERE name = $1 AND state = 'retry'", [NEWS_QUEUE])).rowCount;
  await expect.poll(isRetried, SLOW).toBe(1);
  expect(await countsOf(uuid)).toEqual({ ...NONE, people: 2, waiting: 2 });
  expect(await sendAgain(uuid, "failed")).toMatchObject({
    status: 422,
    body: { error: "No such mail is left to send again" },
  });
  // The last try, after half a day.
  await pool.query(
    "UPDATE pgboss.job SET start_after = now(), retry_count = retry_limit - 1 WHERE name = $1 AND state = 'retry'",
    [NEWS_QUEUE],
  );
  await expect.poll(() => countsOf(uuid), SLOW).toEqual({ ...NONE, people: 2, failed: 2 });

  const { taken } = await mailServer(smtpPort);
  const replies = await Promise.all([sendAgain(uuid, "failed"), sendAgain(uuid, "failed")]);
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 422]));
  expect(replies.find(({ status }) => status === 200)?.body).toEqual({ people: 2 });
  await expect.poll(() => countsOf(uuid), SLOW).toEqual({ ...NONE, people: 2, sent: 2 });
  expect(taken).toEqual(["one@a.test", "two@a.test"]);
  expect((await sendAgain(uuid, "failed")).status).toBe(422);
  expect((await sendAgain(randomUUID(), "failed")).status).toBe(404);
  const acts = await pool.query("SELECT details FROM audit_log WHERE action = 'news_sent_again'");
  expect(acts.rows).toEqual([{ details: { people: 2, state: "failed" } }]);
});
