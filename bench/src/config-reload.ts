import type { Pool } from "pg";
import { keyReader } from "../../server/src/areas/demand-partners/index.ts";
import { configFeed } from "../../server/src/areas/exchange/index.ts";
import { silentLog } from "../../server/src/platform/log.ts";
import { sealer } from "../../server/src/platform/sealed/sealer.ts";
import type { Measurement } from "./measurement.ts";
import { biddersAt, makeApp, makePublisher } from "./partners.ts";
import { median, percentile } from "./quantiles.ts";
import { BENCH_SECRET } from "./stores.ts";
import { withStores } from "./workplace.ts";

const APPS = 5000;
const PARTNERS = 40;
const FLOORS = 20;
const WAITING = { apps: 60, floors: 1000, domains: 500 };
const SWITCHES = 100;
const ROUNDS = 60;
const GOAL_MS = 20;

/** How long a configuration change blocks the event loop. */
export const configReload: Measurement = {
  name: "config-reload",
  title: "Configuration changes",
  run: (say) => withStores(({ stores }) => measure(stores.pool, say)),
};

async function measure(pool: Pool, say: (line: string) => void): ReturnType<Measurement["run"]> {
  const ids = await fill(pool);
  say(`${ids.length} apps, each with ${PARTNERS} partners' keys and ${FLOORS} floors`);
  const feed = configFeed({ pool, partnerKeys: keyReader(sealer([BENCH_SECRET]), silentLog) }, silentLog);
  const first = await blocked(() => feed.reload());
  say(
    `first load: ${first.tookMs.toFixed(0)} ms in total, event loop blocked for at most ${first.longestMs.toFixed(1)} ms`,
  );

  const appOf = (round: number) => ids[(round * 7919) % ids.length];
  const change = async (round: number): Promise<Blocked> => {
    await pool.query("UPDATE apps SET muted = NOT muted WHERE id = $1", [appOf(round)]);
    await pool.query("UPDATE floors SET floor_micros = floor_micros + 1 WHERE app_id = $1", [appOf(round)]);
    return blocked(() => feed.reload());
  };
  for (let round = 0; round < ROUNDS; round++) await change(round);
  const changes: Blocked[] = [];
  const floor: Blocked[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const blockedBy = await change(ROUNDS + round);
    changes.push(blockedBy);
    // The baseline: reads the same rows without processing them, to measure the cost of measuring and of the machine's load.
    floor.push(await blocked(() => readRows(pool, appOf(ROUNDS + round))));
  }
  const [changed, bare] = [changes, floor].map((each) => each.map(({ longestMs }) => longestMs)) as [
    number[],
    number[],
  ];
  const waiting = await newAccount(pool);
  const crowd = await blocked(() => feed.reload());
  const ofCrowd: Blocked[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await pool.query("UPDATE floors SET floor_micros = floor_micros + 1 WHERE app_id = $1", [
      waiting[round % waiting.length],
    ]);
    ofCrowd.push(await blocked(() => feed.reload()));
  }
  await pool.query("UPDATE partners SET active = NOT active WHERE id = 'bidder-01'");
  const partner = await blocked(() => feed.reload());
  await pool.query(
    `INSERT INTO kill_switches (partner_id, countries, reason, created_at)
     SELECT 'bidder-' || lpad((n % $1 + 1)::text, 2, '0'), ARRAY['DE', 'FR'], 'It crashes', now() FROM generate_series(1, $2) n`,
    [PARTNERS, SWITCHES],
  );
  const switched = await blocked(() => feed.reload());
  await feed.stop();

  const p95 = percentile(changed, 0.95);
  const crowdP95 = percentile(
    ofCrowd.map(({ longestMs }) => longestMs),
    0.95,
  );
  const ms = (value: number) => `${value.toFixed(1)} ms`;
  return {
    figures: [
      {
        what: `Event loop blocked by a change of one app among ${APPS} with ${PARTNERS} partners`,
        goal: `< ${GOAL_MS} ms`,
        measured: `p50 ${ms(median(changed))}, p95 ${ms(p95)}, longest ${ms(Math.max(...changed))}; ${(median(changed) / median(bare)).toFixed(1)} × the baseline`,
        reached: p95 < GOAL_MS,
      },
      {
        what: `Event loop blocked by a change in an account with ${WAITING.apps} unmoderated apps of ${WAITING.floors} floors and ${WAITING.domains} domains each`,
        goal: `< ${GOAL_MS} ms`,
        measured: `p95 ${ms(crowdP95)}; when all are added at once ${ms(crowd.longestMs)}`,
        reached: Math.max(crowdP95, crowd.longestMs) < GOAL_MS,
      },
      {
        what: "Event loop blocked by a change of one partner, which affects every app",
        goal: `< ${GOAL_MS} ms`,
        measured: `at most ${ms(partner.longestMs)} at a time, ${partner.tookMs.toFixed(0)} ms in total`,
        reached: partner.longestMs < GOAL_MS,
      },
      {
        what: `Event loop blocked by ${SWITCHES} kill switches, with which no app is read`,
        goal: `< ${GOAL_MS} ms`,
        measured: `at most ${ms(switched.longestMs)} at a time, ${ms(switched.tookMs)} in total`,
        reached: switched.longestMs < GOAL_MS,
      },
    ],
    notes: [
      `${ROUNDS} changes after a warm-up of the same number. Each change writes the flags and ${FLOORS} floors of one app and reloads the ` +
        `configuration. The measured value is the longest time between two turns of the event loop, in CPU time of all threads, so that ` +
        `other load on the machine does not count. The baseline reads the rows of the changed app and discards them: ` +
        `p50 ${ms(median(bare))}, longest ${ms(Math.max(...bare))}.`,
      `The first load takes ${(first.tookMs / 1000).toFixed(1)} s in slices of at most ${ms(first.longestMs)}. ` +
        `It decrypts ${APPS * PARTNERS} keys; a change decrypts only the keys that changed.`,
    ],
  };
}

interface Blocked {
  longestMs: number;
  tookMs: number;
}

/**
 * Runs work and measures the longest time between two turns of the event loop. CPU time instead of wall time, so that other
 * load on the machine does not count.
 */
async function blocked(work: () => Promise<unknown>): Promise<Blocked> {
  const from = performance.now();
  let last = cpuMs();
  let longestMs = 0;
  let isDone = false;
  const turn = () => {
    const now = cpuMs();
    longestMs = Math.max(longestMs, now - last);
    last = now;
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  isDone = true;
  turn();
  return { longestMs, tookMs: performance.now() - from };
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

async function readRows(pool: Pool, id: number | undefined): Promise<void> {
  await pool.query("SELECT * FROM apps WHERE id = $1", [id]);
  await pool.query("SELECT * FROM floors WHERE app_id = $1", [id]);
  await pool.query("SELECT * FROM partner_keys WHERE app_id = $1", [id]);
}

/** Inserts live apps with keys for every partner, and returns their ids. */
async function fill(pool: Pool): Promise<number[]> {
  const { accountId } = await makePublisher(pool);
  await makeApp(
    pool,
    accountId,
    biddersAt(
      "http://127.0.0.1",
      Array.from({ length: PARTNERS }, (_, nth) => 20_000 + nth),
    ),
  );
  await pool.query("DELETE FROM partner_keys WHERE format = 'video'");
  await pool.query(
    `INSERT INTO apps (account_id, name, bundle_id, platform)
     SELECT $1, 'App ' || n, 'com.example.app' || n, 'android' FROM generate_series(2, $2) n`,
    [accountId, APPS],
  );
  await pool.query(
    `INSERT INTO partner_keys (app_id, partner_id, format, sealed, enabled)
     SELECT a.id, k.partner_id, k.format, k.sealed, k.enabled FROM partner_keys k, apps a WHERE a.id <> k.app_id`,
  );
  await pool.query("ANALYZE");
  const { rows } = await pool.query<{ id: number }>("SELECT id FROM apps ORDER BY id");
  const ids = rows.map(({ id }) => id);
  await addFloors(pool, ids, FLOORS);
  return ids;
}

const addFloors = (pool: Pool, ids: readonly number[], count: number) =>
  pool.query(
    `INSERT INTO floors (app_id, country, format, floor_micros)
     SELECT id, chr(65 + n / 26 % 26) || chr(65 + n % 26), CASE WHEN n < 676 THEN 'banner' ELSE 'video' END, 1000 * n
     FROM unnest($1::int[]) id, generate_series(0, $2 - 1) n`,
    [ids, count],
  );

/** Inserts an account whose apps wait for moderation, each filled to the limits, and returns the apps' ids. */
async function newAccount(pool: Pool): Promise<number[]> {
  const { rows } = await pool.query<{ id: number }>(
    `WITH account AS (INSERT INTO accounts (name) VALUES ('New') RETURNING id)
     INSERT INTO apps (account_id, name, bundle_id, platform, moderation, blocked_domains)
     SELECT account.id, 'New ' || n, 'com.example.new' || n, 'android', 'check',
            ARRAY(SELECT 'shop' || d || '.example' FROM generate_series(1, $2) d)
     FROM account, generate_series(1, $1) n RETURNING id`,
    [WAITING.apps, WAITING.domains],
  );
  const ids = rows.map(({ id }) => id);
  await addFloors(pool, ids, WAITING.floors);
  return ids;
}
