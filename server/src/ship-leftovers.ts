import { readFile, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { moveNotices, settleLeftClaims } from "./areas/exchange/index.ts";
import { statisticsArea } from "./areas/statistics/index.ts";
import { NAME_FILE } from "./exchange-processes.ts";
import type { ClickHouse } from "./platform/clickhouse/connect-clickhouse.ts";
import type { Clock } from "./platform/clock.ts";
import { openDataDir } from "./platform/data-dir.ts";
import type { Log } from "./platform/log.ts";
import type { Postgres } from "./platform/postgres/connect-postgres.ts";
import { SharedRedis } from "./platform/redis/shared-redis.ts";
import { ROLES, type Roles } from "./roles.ts";

interface Deps {
  /** The data directory, which this process holds. */
  root: string;
  roles: Roles;
  /** Folders of processes that are about to run: what is in them is theirs. */
  inUse: readonly string[];
  /** The folder of the exchange process that gets the undelivered notices of the others. */
  heir: string;
  stores: { clickhouse: ClickHouse; postgres: Pick<Postgres, "pool"> };
  redisUrl: string | undefined;
  clock: Clock;
  log: Log;
}

/** A journal that takes longer goes on at the next start. */
const SHIP_MS = 60_000;

/**
 * Ships the journals of processes that do not run any more: there were more of them, a single one, or one for each role.
 * An exchange does so before anything else starts; the other roles leave it to one.
 */
export async function shipLeftovers(deps: Deps): Promise<void> {
  const { root, roles, inUse, log } = deps;
  if (!roles.has("exchange")) return;
  // A dashboard or a worker of its own may use the same directory, and start at this moment.
  const mayBeLeft = roles.size === ROLES.length ? PROCESS_FOLDER : /^exchange-\d+$/;
  for await (const folder of heldFolders(root, mayBeLeft, inUse)) {
    await shipFolder(folder, deps).catch((error: unknown) =>
      log.warn(
        { err: error, folder },
        "a journal of an earlier process is not shipped yet; the next start tries again",
      ),
    );
  }
}

const PROCESS_FOLDER = /^(exchange-\d+|dashboard|worker)$/;

/** The data directory and the folders of processes below it, without those that processes use. Each is held until the next one. */
async function* heldFolders(root: string, named: RegExp, inUse: readonly string[] = []): AsyncGenerator<string> {
  const names = (await readdir(root)).filter((name) => named.test(name));
  for (const folder of [root, ...names.map((name) => join(root, name))]) {
    if (inUse.includes(folder)) continue;
    const dir = folder === root ? undefined : await openDataDir(folder).catch(() => null);
    // Another process uses it.
    if (dir === null) continue;
    try {
      yield folder;
    } finally {
      await dir?.release();
    }
  }
}

/**
 * Ships the journals of a data directory that this process holds, and of the processes below it that do not run. Throws if a store does
 * not take one in time.
 */
export async function shipJournals(
  root: string,
  { clickhouse, clock, log }: Pick<Deps, "clock" | "log"> & { clickhouse: ClickHouse },
): Promise<void> {
  for await (const folder of heldFolders(root, PROCESS_FOLDER)) {
    const journalDir = join(folder, "journal");
    if (!(await stat(journalDir).then(Boolean, () => false))) continue;
    const statistics = await statisticsArea({ clickhouse, journalDir, clock, log });
    try {
      await statistics.flush(SHIP_MS);
    } finally {
      await statistics.stop?.();
    }
  }
}

/**
 * Ships what a killed process left while ClickHouse has the tables that it wrote to. A batch may be stored there already, and is
 * recognized when it is sent again; but a table of sums that a migration adds and fills from stored rows would count it twice.
 */
export async function shipBeforeUpgrade(root: string, deps: Parameters<typeof shipJournals>[1]): Promise<void> {
  await shipJournals(root, deps).catch((error: unknown) => {
    deps.log.warn({ err: error }, "a journal is not shipped before the upgrade; it is once that is done");
  });
}

async function shipFolder(folder: string, { heir, stores, redisUrl, clock, log }: Deps): Promise<void> {
  const { clickhouse, postgres } = stores;
  const statistics = await statisticsArea({ clickhouse, journalDir: join(folder, "journal"), clock, log });
  try {
    await statistics.flush(SHIP_MS);
    const name = (await readFile(join(folder, NAME_FILE), "utf8").catch(() => "")).trim();
    if (name !== "") {
      const ids = (sinceMs: number) => statistics.recentEventIds(sinceMs);
      if (redisUrl !== undefined) await settleClaims(name, redisUrl, ids, { clock, log });
      await postgres.pool.query("DELETE FROM exchange_processes WHERE name = $1", [name]);
    }
  } finally {
    await statistics.stop?.();
  }
  await moveNotices(join(folder, "notices"), join(heir, "notices"));
}

/** If Redis is away, its claims end with its epoch or with their tokens. */
async function settleClaims(
  process: string,
  url: string,
  recentEventIds: (sinceMs: number) => AsyncIterable<string>,
  { clock, log }: Pick<Deps, "clock" | "log">,
): Promise<void> {
  const redis = new SharedRedis({ url, clock, log });
  try {
    await redis.connect();
    await settleLeftClaims(process, redis, recentEventIds, clock.now());
  } catch (error) {
    log.warn({ err: error }, "claims of a process that does not run any more are not settled");
  } finally {
    redis.close();
  }
}
