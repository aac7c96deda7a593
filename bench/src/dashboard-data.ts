import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createApp } from "../../server/src/areas/apps/index.ts";
import { upsertPartner } from "../../server/src/areas/demand-partners/index.ts";
import { APPS, DAYS, PROVIDERS, statementsOfDay } from "./generated-rows.ts";
import { makePublisher } from "./partners.ts";
import { type BenchStores, openStores, rowsOf } from "./stores.ts";

export interface DashboardData {
  stores: BenchStores;
  /** Of the publisher who owns the apps. */
  signIn: { email: string; password: string };
  /** The largest first. */
  apps: { id: number; uuid: string }[];
  /** The first moment of the first day and the last day, as `2026-11-19`. */
  days: { first: string; last: string };
  /** Rows of all kinds. */
  rows: number;
  dir: string;
}

type Facts = Pick<DashboardData, "signIn" | "apps" | "days"> & { startsAt: number; daysDone: number };

const DAY_SECONDS = 86_400;
const dayOf = (epochSeconds: number) => new Date(epochSeconds * 1000).toISOString().slice(0, 10);

/**
 * Opens the generated traffic; makes it first, or the rest of it, where it is not all there. It is kept in BENCH_DATA_DIR
 * (the system's temporary folder without it) for the next run, until the generator changes.
 */
export async function openDashboardData(events: number, say: (line: string) => void): Promise<DashboardData> {
  const dir = join(process.env["BENCH_DATA_DIR"] ?? tmpdir(), `millrace-bench-${events}-${versionOfRows()}`);
  await mkdir(dir, { recursive: true });
  const file = join(dir, "facts.json");
  let facts = await readFile(file, "utf8").then(
    (text) => JSON.parse(text) as Facts,
    () => undefined,
  );
  // Half a start is thrown away.
  if (!facts) await rm(join(dir, "stores"), { recursive: true, force: true });
  const stores = await openStores(join(dir, "stores"));
  const keep = (now: Facts) => writeFile(file, JSON.stringify(now));
  if (!facts) await keep((facts = await beginTraffic(stores)));
  if (facts.daysDone < DAYS) say(`making ${events} events in ${dir}`);
  while (facts.daysDone < DAYS) {
    await makeDay(stores, facts, events);
    facts.daysDone++;
    await keep(facts);
    if (facts.daysDone % 5 === 0) say(`${facts.daysDone} of ${DAYS} days`);
  }
  await untilMerged(stores, say);
  const [count] = await rowsOf<{ rows: string }>(
    stores.clickhouse,
    "SELECT (SELECT count() FROM auctions) + (SELECT count() FROM events) AS rows",
  );
  return { stores, signIn: facts.signIn, apps: facts.apps, days: facts.days, rows: Number(count?.rows), dir };
}

/** Tables that change are filled by their migrations; other rows are other data. */
const versionOfRows = (): string =>
  createHash("sha256")
    .update(readFileSync(new URL("./generated-rows.ts", import.meta.url)))
    .digest("hex")
    .slice(0, 10);

/** A publisher with the apps and partners of the generated traffic, and days to fill. */
async function beginTraffic({ pool }: BenchStores): Promise<Facts> {
  const { accountId, ...signIn } = await makePublisher(pool);
  const apps: Facts["apps"] = [];
  for (let nth = 1; nth <= APPS; nth++) {
    const about = { name: `App ${nth}`, bundleId: `com.example.app${nth}`, platform: "android" } as const;
    const { id, uuid } = await createApp(pool, accountId, about);
    apps.push({ id, uuid });
  }
  // These apps have had impressions for long: their pages show no first steps.
  await pool.query("UPDATE apps SET sdk_version = '1.0.0', sdk_seen_at = now()");
  for (const id of PROVIDERS) {
    await upsertPartner(pool, {
      id,
      kind: "openrtb",
      name: id,
      endpoint: "http://127.0.0.1:9/",
      media_types: ["banner"],
      gvl_id: null,
      openrtb_version: "2.6",
      gzip: false,
      active: false,
      demo: false,
    });
  }
  const today = Math.floor(Date.now() / 1000 / DAY_SECONDS) * DAY_SECONDS;
  // The last day is over: what a day holds does not depend on the hour of the run.
  const startsAt = today - DAYS * DAY_SECONDS;
  const days = { first: dayOf(startsAt), last: dayOf(today - DAY_SECONDS) };
  return { signIn, apps, days, startsAt, daysDone: 0 };
}

/** One block for each table and day where memory allows: each block makes a part in every rollup. */
const TUNING = `max_block_size = 262144, max_insert_block_size = 1048576, min_insert_block_size_rows = 1048576,
  min_insert_block_size_bytes = 0, max_threads = 2, max_insert_threads = 1, deduplicate_blocks_in_dependent_materialized_views = 1,
  max_execution_time = 1200`;

/** Fills the first day that has no traffic. */
async function makeDay({ clickhouse }: BenchStores, facts: Facts, events: number): Promise<void> {
  const day = facts.daysDone;
  const appIds = facts.apps.map(({ id }) => id);
  const statements = statementsOfDay({ appIds, events, day, startsAt: facts.startsAt + day * DAY_SECONDS }, TUNING);
  for (const [nth, query] of statements.entries()) {
    // A day that was cut off is sent again, and counts once.
    await clickhouse.write.command({ query, clickhouse_settings: { insert_deduplication_token: `day-${day}-${nth}` } });
  }
}

/** Old days are merged on a platform that has lived them; here they have all just come. */
async function untilMerged({ clickhouse }: BenchStores, say: (line: string) => void): Promise<void> {
  for (let waited = 0; waited < 600; waited += 2) {
    const [running] = await rowsOf<{ merges: string }>(clickhouse, "SELECT count() AS merges FROM system.merges");
    if (Number(running?.merges) === 0) return;
    if (waited % 30 === 0) say(`waiting for ${running?.merges} merges`);
    await sleep(2000);
  }
}
