import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { TABLE_ORDERS, TableFileStatus } from "@millrace/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openJobs } from "../../../platform/jobs/index.ts";
import { silentLog } from "../../../platform/log.ts";
import { testStores } from "../../../platform/testing/stores.ts";
import { createApp } from "../index.ts";
import { appsServer, newAccount } from "../testing/apps-server.ts";

/** The limit of the other account's 95th percentile, relative to a run without files. */
const MOST_RATIO = 4;
/** Smaller delays are noise. */
const NOISE_MS = 40;
/** A whole auction has 100 ms. */
const MOST_TURN_MS = 50;

const stores = await testStores();
const now = Date.parse("2026-03-31T12:00:00Z");
const filesDir = await mkdtemp(join(tmpdir(), "table-files-"));
const jobs = openJobs({ pool: stores.pg.pool, log: silentLog, timing: { pollMs: 50 } });
const at = await appsServer(stores, { now: () => now, jobs, filesDir });
const [many, few] = [await newAccount(stores, "Many"), await newAccount(stores, "Few")];
const bundle = (name: string) => ({ name, bundleId: `com.example.${name}`, platform: "ios" }) as const;
const large = await createApp(stores.pg.pool, many, bundle("large"));
const small = await createApp(stores.pg.pool, few, bundle("small"));

beforeAll(async () => {
  await jobs.start();
  await fill(large.id, 4000, 60);
  await fill(small.id, 120, 60);
});
afterAll(async () => {
  await jobs.stop();
  await at.stop();
  await rm(filesDir, { recursive: true });
});

/** Adds requests and impressions for each of the last days. */
async function fill(appId: number, days: number, aDay: number): Promise<void> {
  const values = `
    SELECT toDateTime64(${now / 1000} - 86400 * intDiv(number, ${aDay}), 3, 'UTC') AS at, generateUUIDv4() AS auction_id,
      ${appId} AS app_id, ['main', 'end'][number % 2 + 1] AS zone, ['banner', 'video'][number % 2 + 1] AS format,
      ['US', 'DE', 'FR', 'JP'][number % 4 + 1] AS country, intHash64(number % 5000) AS device`;
  const settings = "SETTINGS max_partitions_per_insert_block = 0";
  const from = `FROM numbers(${days * aDay})`;
  const { write } = stores.clickhouse;
  await write.command({
    query: `INSERT INTO auctions (at, auction_id, app_id, zone, format, country, device, imp_id, platform, asked)
      ${settings} ${values}, '1', 'ios', ['aurora'] ${from}`,
  });
  await write.command({
    query: `INSERT INTO events (at, auction_id, app_id, zone, format, country, device, kind, event_id, platform, provider, revenue_micros)
      ${settings} ${values}, 'impression', toString(number), 'ios', 'aurora', 1500 ${from}`,
  });
}

let asked = 0;
/** The time of an uncached page over a month, in milliseconds. */
async function pageMs(): Promise<number> {
  asked += 1;
  const day = (ago: number) => new Date(now - ago * 86_400_000).toISOString().slice(0, 10);
  const startedAt = performance.now();
  const { status } = await at.get(few, `/apps/${small.uuid}/stats.json?ds=${day(asked + 30)}&de=${day(asked)}`);
  expect(status).toBe(200);
  return performance.now() - startedAt;
}
const PAGES = 30;

async function observed(): Promise<{ p95: number; turnMs: number }> {
  const turns = watchTurns();
  const times: number[] = [];
  while (times.length < PAGES) times.push(await pageMs());
  return { p95: p95(times), turnMs: turns.longestMs() };
}

/** The longest turn of the event loop, in processor time, so that other load on the machine does not count. */
function watchTurns(): { longestMs: () => number } {
  const cpuMs = () => Number(readFileSync("/proc/thread-self/schedstat", "utf8").split(" ")[0]) / 1e6;
  let [last, longest] = [cpuMs(), 0];
  const timer = setInterval(() => {
    const now = cpuMs();
    longest = Math.max(longest, now - last);
    last = now;
  }, 1);
  return {
    longestMs() {
      clearInterval(timer);
      return longest;
    },
  };
}

const p95 = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? 0;

test(
  "ten PDFs of eleven years for one account neither slow down another account's pages nor block the event loop",
  { timeout: 180_000 },
  async () => {
    for (let warming = 0; warming < 3; warming++) await pageMs();
    const alone = await observed();
    const files = await Promise.all(
      TABLE_ORDERS.map(async (order) => {
        const url = `/apps/${large.uuid}/stats_files?ds=2015-04-20&de=2026-03-31&order=${order}`;
        return TableFileStatus.parse((await at.send("POST", many, url, { kind: "pdf" })).body).id;
      }),
    );
    const beside = await observed();
    const waiting = await unfinished();
    for (let tries = 0; tries < 600 && (await unfinished()) > 0; tries++) await sleep(100);
    const states = await Promise.all(files.map(async (id) => (await at.get(many, `/stats_files/${id}.json`)).body));
    process.stdout.write(
      `p95 ${alone.p95.toFixed(0)} ms alone, ${beside.p95.toFixed(0)} ms beside ten files (${waiting} still to make); ` +
        `longest turn of the loop ${alone.turnMs.toFixed(0)} and ${beside.turnMs.toFixed(0)} ms\n`,
    );
    expect(states).toEqual(files.map((id) => expect.objectContaining({ id, state: "ready" }) as unknown));
    // Otherwise the pages were not requested while the files were made.
    expect(waiting).toBeGreaterThan(0);
    expect(beside.p95).toBeLessThan(alone.p95 * MOST_RATIO + NOISE_MS);
    expect(beside.turnMs).toBeLessThan(MOST_TURN_MS);
  },
);

async function unfinished(): Promise<number> {
  const { rows } = await stores.pg.pool.query<{ files: number }>(
    "SELECT count(*)::int AS files FROM table_files WHERE state IN ('waiting', 'working')",
  );
  return rows[0]?.files ?? 0;
}
