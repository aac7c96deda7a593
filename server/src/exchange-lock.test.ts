import { expect, onTestFinished, test } from "vitest";
import { ExchangeLock } from "./exchange-lock.ts";
import { silentLog } from "./platform/log.ts";
import { postgresFirewall } from "./platform/testing/start-firewall.ts";
import { testPostgres } from "./platform/testing/stores.ts";

const pg = await testPostgres();

function lockAt(postgresUrl: string, onLost: () => void = () => undefined): ExchangeLock {
  const lock = new ExchangeLock({ postgresUrl, isShared: false, log: silentLog, onLost, beatMs: 600, answerMs: 500 });
  onTestFinished(() => lock.release());
  return lock;
}

test.each(["ended", "kept"] as const)(
  "a process whose connection was lost, while PostgreSQL's end of it is %s, takes the lock again if nobody else has it",
  async (postgres) => {
    const between = await postgresFirewall(pg.url);
    let isLost = false;
    await lockAt(between.url, () => (isLost = true)).take();
    /** The connection that has the lock. */
    const holder = async () => {
      const { rows } = await pg.pool.query<{ pid: number }>(
        `SELECT pid FROM pg_locks JOIN pg_database ON oid = database
       WHERE locktype = 'advisory' AND granted AND datname = current_database()`,
      );
      return rows[0]?.pid;
    };
    const first = await holder();
    between.forget(postgres);
    await expect.poll(async () => ![undefined, first].includes(await holder())).toBe(true);
    expect(isLost).toBe(false);
  },
);

test("a process whose connection was silently dropped notices that another one has taken the lock", async () => {
  const between = await postgresFirewall(pg.url);
  let isLost = false;
  await lockAt(between.url, () => (isLost = true)).take();
  between.forget("ended");
  await lockAt(pg.url).take();
  await expect.poll(() => isLost).toBe(true);
});
