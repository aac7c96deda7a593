import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { inTransaction } from "../../platform/postgres/in-transaction.ts";
import { testPostgres } from "../../platform/testing/stores.ts";
import { newPerson } from "../../testing/test-platform.ts";
import { NEWS_QUEUE, insertNews } from "./news-store.ts";
import { mailServer } from "./testing/mail-server.ts";

const pg = await testPostgres();
const { pool } = pg;
const SCRIPT = join(import.meta.dirname, "fixtures/mail-news.ts");

/** A platform that mails news, until it is killed. */
async function platform(smtpUrl: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, ["--import", "tsx", SCRIPT, pg.url, smtpUrl], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout, "data");
  return child;
}

/** Sends news like the admin area. */
async function send(uuid: string, by: number): Promise<void> {
  await inTransaction(pool, (client) =>
    insertNews(client, { uuid, subject: "News", message: "Text", by, at: new Date() }),
  );
  await pool.query("INSERT INTO pgboss.job (name, data, retry_limit) VALUES ($1, $2, 12)", [
    NEWS_QUEUE,
    { uuid, batch: 0 },
  ]);
}

async function mailsByState(): Promise<Map<string, string[]>> {
  const { rows } = await pool.query<{ state: string; emails: string[] }>(
    `SELECT m.state, array_agg(u.email) AS emails FROM news_mails m JOIN users u ON u.id = m.user_id GROUP BY m.state`,
  );
  return new Map(rows.map(({ state, emails }) => [state, emails]));
}

test("killing platforms while they mail news sends no mail twice and leaves out no one unnoticed", async () => {
  const author = await newPerson(pool, "author@example.com", { role: "admin" });
  const emails = Array.from({ length: 20 }, (_, nth) => `reader-${nth}@example.com`);
  for (const email of emails) await newPerson(pool, email);
  await pool.query("UPDATE users SET is_subscribed = email = ANY($1)", [emails]);

  let running: ChildProcess | undefined;
  const { taken, url } = await mailServer(0, (count) => {
    // The first platform dies while waiting for the reply to its fifth mail, the second after the reply to the twelfth.
    if (count === 5) running?.kill("SIGKILL");
    if (count === 12) setTimeout(() => running?.kill("SIGKILL"), 5);
  });
  const uuid = randomUUID();
  for (let round = 0; round < 3; round++) {
    running = await platform(url);
    if (round === 0) await send(uuid, author.userId);
    const ended = once(running, "exit");
    if (round < 2) await ended;
    // Retries are seconds apart; the test does not wait for them.
    const hurry = setInterval(() => {
      pool
        .query("UPDATE pgboss.job SET start_after = now() WHERE name = $1 AND state = 'retry'", [NEWS_QUEUE])
        .catch(() => undefined);
    }, 200);
    onTestFinished(() => clearInterval(hurry));
  }
  await expect
    .poll(async () => [...(await mailsByState()).keys()].toSorted(), { timeout: 30_000, interval: 100 })
    .toEqual(["sent", "unknown"]);

  const states = await mailsByState();
  const [sent = [], unknown = []] = [states.get("sent"), states.get("unknown")];
  expect([...sent, ...unknown].toSorted()).toEqual(emails.toSorted());
  expect(taken).toHaveLength(new Set(taken).size);
  expect(sent.filter((email) => !taken.includes(email))).toEqual([]);
  // The fifth recipient has the mail, which no platform knows. Another mail may have been in transit at the second
  // kill.
  expect(unknown).toContain(taken[4]);
  expect(unknown.length).toBeLessThanOrEqual(2);
}, 90_000);
