import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { expect, test } from "vitest";
import { systemClock } from "../../platform/clock.ts";
import { openJobs } from "../../platform/jobs/index.ts";
import type { Mailer } from "../../platform/mail/index.ts";
import { silentLog } from "../../platform/log.ts";
import { inTransaction } from "../../platform/postgres/in-transaction.ts";
import { testStores } from "../../platform/testing/stores.ts";
import { newPerson, testPlatform } from "../../testing/test-platform.ts";
import type { News } from "./deps.ts";
import { mailBatch } from "./mail-batch.ts";
import { BATCH_PEOPLE, NEWS_LIST, NEWS_QUEUE, type NewsRow, insertNews, newsMailOf } from "./news-store.ts";
import { unsubscribeLinks } from "./unsubscribe-links.ts";

const stores = await testStores();
const { pool } = await testPlatform(stores);
const author = await newPerson(pool, "author@example.com", { role: "admin" });

/** News for some recipients, mailed by `deliver`. */
async function newsFor(emails: readonly string[], deliver: (email: string) => Promise<void>) {
  await pool.query("UPDATE users SET is_subscribed = false");
  const people = [];
  for (const email of emails) people.push(await newPerson(pool, email));
  const uuid = randomUUID();
  const about = { uuid, subject: "News", message: "Text", by: author.userId, at: new Date() };
  await pool.query("UPDATE users SET is_subscribed = true WHERE email = ANY($1)", [emails]);
  await inTransaction(pool, (client) => insertNews(client, about));
  // The test runs this job instead of the platform.
  await pool.query("INSERT INTO pgboss.job (name, data, start_after) VALUES ($1, $2, now() + interval '1 hour')", [
    NEWS_QUEUE,
    { uuid, batch: 0 },
  ]);
  const mailer: Pick<Mailer, "send"> = { send: ({ to }) => deliver(to) };
  const links = unsubscribeLinks(["the secret"], "https://ads.test");
  const jobs = openJobs({ pool, log: silentLog });
  const deps = { pool, clock: systemClock, mailer, jobs, secrets: ["the secret"], links };
  const news: News = { ...deps, publicUrl: "https://ads.test", operatorName: "Example Ads" };
  return { uuid, people, run: (batch = 0) => mailBatch(news, { uuid, batch }) };
}

const countsOf = async (from: Pool, uuid: string) => {
  const { rows } = await from.query<NewsRow>(`SELECT ${NEWS_LIST.columns} FROM ${NEWS_LIST.from}`, [uuid]);
  return rows[0] && newsMailOf(rows[0]).counts;
};
const NONE = { sent: 0, waiting: 0, failed: 0, refused: 0, left_out: 0, unknown: 0 };

test("a job that failed halfway mails the rest when it runs again, and no one twice", async () => {
  const emails = ["one@a.test", "two@a.test", "three@a.test"];
  const taken: string[] = [];
  let away = true;
  const { uuid, run } = await newsFor(emails, async (email) => {
    if (email === "two@a.test" && away) throw new Error("The mail server is away");
    taken.push(email);
  });
  await expect(run()).rejects.toThrow("The mail server is away");
  expect(await countsOf(pool, uuid)).toEqual({ ...NONE, people: 3, sent: 1, waiting: 2 });
  away = false;
  await run();
  await run();
  expect(taken).toEqual(emails);
  expect(await countsOf(pool, uuid)).toEqual({ ...NONE, people: 3, sent: 3 });
});

test("a mail that was being sent when its platform was killed is not sent again", async () => {
  const taken: string[] = [];
  const { uuid, people, run } = await newsFor(["first@b.test", "second@b.test"], async (email) => {
    taken.push(email);
  });
  // The state that a killed platform leaves: the mail server may have accepted the mail.
  await pool.query("UPDATE news_mails SET state = 'sending' WHERE user_id = $1", [people[0]?.userId]);
  await run();
  expect(taken).toEqual(["second@b.test"]);
  expect(await countsOf(pool, uuid)).toEqual({ ...NONE, people: 2, sent: 1, unknown: 1 });
});

test("a permanently refused address does not hold up others", async () => {
  const taken: string[] = [];
  const { uuid, run } = await newsFor(["gone@c.test", "there@c.test"], async (email) => {
    if (email === "gone@c.test")
      throw Object.assign(new Error("550 No such user"), { command: "RCPT TO", responseCode: 550 });
    taken.push(email);
  });
  await run();
  expect(taken).toEqual(["there@c.test"]);
  expect(await countsOf(pool, uuid)).toEqual({ ...NONE, people: 2, sent: 1, refused: 1 });
});

test("a mail server that refuses the sender loses no mail", async () => {
  const { uuid, run } = await newsFor(["waits@d.test"], async () => {
    throw Object.assign(new Error("550 Not from you"), { command: "MAIL FROM", responseCode: 550 });
  });
  await expect(run()).rejects.toThrow("Not from you");
  expect(await countsOf(pool, uuid)).toEqual({ ...NONE, people: 1, waiting: 1 });
});

test("users who unsubscribe, are blocked or are deleted in the meantime get no mail", async () => {
  const taken: string[] = [];
  const { uuid, people, run } = await newsFor(
    ["unsubscribed@e.test", "blocked@e.test", "deleted@e.test", "reads@e.test"],
    async (email) => {
      taken.push(email);
    },
  );
  const [unsubscribed, blocked, deleted] = people.map(({ userId }) => userId);
  await pool.query("UPDATE users SET is_subscribed = false WHERE id = $1", [unsubscribed]);
  await pool.query("UPDATE users SET blocked_at = now() WHERE id = $1", [blocked]);
  await pool.query("DELETE FROM users WHERE id = $1", [deleted]);
  await run();
  expect(taken).toEqual(["reads@e.test"]);
  expect(await countsOf(pool, uuid)).toEqual({ ...NONE, people: 4, sent: 1, left_out: 3 });
});

test("each recipient is in exactly one batch", async () => {
  await pool.query("UPDATE users SET is_subscribed = false");
  await pool.query(
    `INSERT INTO users (email, name, agreed_version, is_subscribed)
     SELECT 'many-' || n || '@f.test', 'Somebody', 1, true FROM generate_series(1, ${BATCH_PEOPLE + 1}) AS n`,
  );
  const uuid = randomUUID();
  const about = { uuid, subject: "Many", message: "Text", by: author.userId, at: new Date() };
  expect(await inTransaction(pool, (client) => insertNews(client, about))).toEqual({ people: BATCH_PEOPLE + 1 });
  const { rows } = await pool.query<{ batch: number; n: number }>(
    `SELECT batch, count(*)::int AS n FROM news_mails m JOIN news n ON n.id = m.news_id WHERE n.uuid = $1
     GROUP BY batch ORDER BY batch`,
    [uuid],
  );
  expect(rows).toEqual([
    { batch: 0, n: BATCH_PEOPLE },
    { batch: 1, n: 1 },
  ]);
});
