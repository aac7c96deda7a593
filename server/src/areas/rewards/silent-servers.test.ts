import { setTimeout } from "node:timers/promises";
import { DAY_MS, HOUR_MS } from "@millrace/units";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { silentLog } from "../../platform/log.ts";
import { serveHttp } from "../../platform/testing/serve-http.ts";
import { testPostgres } from "../../platform/testing/stores.ts";
import { CallbackSender } from "./callback-sender.ts";
import { countCallbacks, takeDue } from "./callback-store.ts";

const { pool } = await testPostgres();
const url = "https://silent.example/reward?user_id=7";
let silent: number;
let other: number;

beforeEach(async () => {
  await pool.query("TRUNCATE apps, reward_callbacks CASCADE");
  const account = await pool.query<{ id: number }>("INSERT INTO accounts (name) VALUES ('Studio') RETURNING id");
  const { rows } = await pool.query<{ id: number }>(
    `INSERT INTO apps (account_id, name, bundle_id, platform)
     SELECT $1, 'A', 'com.example.' || n, 'android' FROM generate_series(1, 2) n RETURNING id`,
    [account.rows[0]?.id],
  );
  [silent = 0, other = 0] = rows.map(({ id }) => id);
});

interface Waiting {
  count?: number;
  address?: string;
  earnedAt: Date;
  nextAt?: Date;
  outcome?: string;
}

/** Callbacks that wait, a millisecond apart. */
async function addWaiting(
  appId: number,
  { count = 1, address = url, earnedAt, nextAt = earnedAt, outcome }: Waiting,
): Promise<void> {
  await pool.query(
    `INSERT INTO reward_callbacks (transaction_id, app_id, url, earned_at, next_at, outcome)
     SELECT gen_random_uuid(), $1, $2, $3::timestamptz - n * interval '1 ms', $4::timestamptz - n * interval '1 ms', $5
     FROM generate_series(0, $6::int - 1) n`,
    [appId, address, earnedAt, nextAt, outcome, count],
  );
}

/** What one take gets, by app, and how many rows and index entries it reads for that. Nothing stays taken. */
async function take(change: { slow?: number[]; full?: number[]; leftForSlow?: number }) {
  const db = await pool.connect();
  const readSoFar = async (): Promise<number> => {
    const { rows } = await db.query<{ read: number }>(
      `SELECT (seq_tup_read + idx_tup_fetch)::int AS read FROM pg_stat_xact_user_tables
       WHERE relname = 'reward_callbacks'`,
    );
    return rows[0]?.read ?? Infinity;
  };
  try {
    await db.query("BEGIN");
    const before = await readSoFar();
    const now = new Date();
    const times = { now, earnedAfter: new Date(now.getTime() - DAY_MS), leaseMs: 30_000 };
    const taken = await takeDue(db, { ...times, limit: 24, perApp: 8, full: [], slow: [], leftForSlow: 8, ...change });
    const of = (appId: number) => taken.filter((each) => each.appId === appId).length;
    return { silent: of(silent), other: of(other), read: (await readSoFar()) - before };
  } finally {
    await db.query("ROLLBACK");
    db.release();
  }
}

const analyze = () => pool.query("ANALYZE reward_callbacks");

test.for(["never analyzed", "analyzed while nothing waited", "analyzed since"])(
  "a take reads no more if twenty thousand callbacks wait for a silent server, in a table %s",
  { timeout: 20_000 },
  async (when) => {
    const now = Date.now();
    const address = `${url}&custom_data=${"x".repeat(600)}`;
    await pool.query("DELETE FROM pg_statistic WHERE starelid = 'reward_callbacks'::regclass");
    if (when === "analyzed while nothing waited") {
      await addWaiting(other, { count: 1000, earnedAt: new Date(now - HOUR_MS) });
      await pool.query("UPDATE reward_callbacks SET state = 'delivered', url = NULL");
      await analyze();
    }
    await addWaiting(silent, { count: 20_000, address, earnedAt: new Date(now - HOUR_MS) });
    await addWaiting(silent, { count: 100, address, earnedAt: new Date(now), nextAt: new Date(now + HOUR_MS) });
    await addWaiting(other, { count: 3, address, earnedAt: new Date(now - 1000) });
    if (when === "analyzed since") await analyze();
    const takes = [
      await take({}),
      await take({ slow: [silent], leftForSlow: 2 }),
      await take({ slow: [silent], leftForSlow: 0 }),
      await take({ full: [silent] }),
    ];
    expect(takes.map((each) => [each.silent, each.other])).toEqual([
      [8, 3],
      [2, 3],
      [0, 3],
      [0, 3],
    ]);
    expect(Math.max(...takes.map(({ read }) => read))).toBeLessThan(60);
  },
);

/** A sender on a clock that a test can set; each test ends it. */
function startSender(trusts: string[] = []): { clock: { offsetMs: number } } {
  const clock = { offsetMs: 0, now: () => Date.now() + clock.offsetMs };
  const sender = new CallbackSender({ pool, clock, log: silentLog, trustedOrigins: new Set(trusts) });
  sender.start();
  onTestFinished(() => sender.stop());
  return { clock };
}

const states = async () => {
  const { rows } = await pool.query(
    "SELECT state, count(*)::int, count(url)::int AS urls FROM reward_callbacks GROUP BY state ORDER BY state",
  );
  return rows;
};

test("overdue callbacks fail without a try, and the others behind them are sent", { timeout: 20_000 }, async () => {
  let calls = 0;
  const game = await serveHttp((_, reply) => {
    calls++;
    reply.writeHead(204).end();
  });
  const ended = new Date(Date.now() - DAY_MS - 60_000);
  await addWaiting(silent, { count: 2500, address: game, earnedAt: ended });
  await addWaiting(silent, { address: game, earnedAt: new Date() });
  startSender([game]);
  await expect.poll(states).toEqual([
    { state: "delivered", count: 1, urls: 0 },
    { state: "failed", count: 2500, urls: 0 },
  ]);
  expect(calls).toBe(1);
});

test("a callback fails when its day ends, also if its next try would be later", async () => {
  const { clock } = startSender();
  const now = Date.now();
  await addWaiting(silent, { earnedAt: new Date(now), nextAt: new Date(now + DAY_MS + HOUR_MS) });
  clock.offsetMs = DAY_MS + 31_000;
  await expect.poll(states).toEqual([{ state: "failed", count: 1, urls: 0 }]);
});

test(
  "a try that is under way when the day ends decides what becomes of the callback",
  { timeout: 15_000 },
  async () => {
    const answers: (() => void)[] = [];
    const game = await serveHttp((_, reply) => answers.push(() => reply.writeHead(200).end()));
    await addWaiting(silent, { address: game, earnedAt: new Date(Date.now() - DAY_MS + 3000) });
    startSender([game]);
    await expect.poll(() => answers.length).toBe(1);
    // Long enough for a look after the day has ended.
    await setTimeout(4500);
    expect(await states()).toEqual([{ state: "waiting", count: 1, urls: 1 }]);
    for (const answer of answers) answer();
    await expect.poll(states).toEqual([{ state: "delivered", count: 1, urls: 0 }]);
  },
);

test("a callback that failed without a try counts from when its day ended, and does not hide a later failure", async () => {
  const now = Date.now();
  await addWaiting(silent, { earnedAt: new Date(now - DAY_MS - HOUR_MS), outcome: "timeout" });
  await addWaiting(silent, { earnedAt: new Date(now - 3 * DAY_MS), outcome: "404" });
  await addWaiting(silent, { earnedAt: new Date(now - 5000), nextAt: new Date(now + 5000), outcome: "503" });
  startSender();
  const counts = () => countCallbacks(pool, silent, new Date(now - DAY_MS));
  await expect.poll(counts).toEqual({ delivered: 0, waiting: 1, failed: 1, lastFailure: "503" });
});
