import { stat } from "node:fs/promises";
import { join } from "node:path";
import { storeLines } from "./logger.ts";
import { type ClickHouse, AN_HOUR_MS, connectClickHouse } from "./platform/clickhouse/connect-clickhouse.ts";
import { startChdb } from "./platform/clickhouse/start-chdb.ts";
import { errorMessage } from "./platform/error-message.ts";
import type { Check } from "./platform/http/health.ts";
import type { Log } from "./platform/log.ts";
import { migrateStores } from "./platform/migrate/migrate-stores.ts";
import { type Postgres, connectPostgres } from "./platform/postgres/connect-postgres.ts";
import { startPostgres } from "./platform/postgres/start-postgres.ts";
import type { Settings } from "./platform/settings.ts";
import { StartError } from "./platform/start-error.ts";
import { shipBeforeUpgrade } from "./ship-leftovers.ts";
import { systemClock } from "./platform/clock.ts";
import { raiseSequences } from "./raise-sequences.ts";

/** Both stores, migrated, wherever they run. */
export interface Stores {
  postgres: Postgres;
  clickhouse: ClickHouse;
  /** For a dedicated LISTEN connection, outside the pool. */
  postgresUrl: string;
  /** For the demo's process. */
  clickhouseUrl: string;
  /** The checks of readiness. */
  checks: Record<string, Check>;
  stop(): Promise<void>;
}

/**
 * Opens the stores at their addresses; if an address is unset, starts and uses an embedded store. Throws StartError.
 */
export async function startStores(
  settings: Settings,
  dataDir: string,
  migrationsDir: string,
  log: Log,
): Promise<Stores> {
  const line = (store: string) => storeLines(log, store);
  const [ownPostgres, ownClickhouse] = await Promise.all([
    settings.databaseUrl === undefined
      ? startPostgres({
          dir: join(dataDir, "postgres"),
          log: line("postgres"),
          // With the one that starts them, and the dashboard's.
          processes: settings.exchanges + 2,
        })
      : undefined,
    settings.clickhouseUrl === undefined
      ? startChdb({ dir: join(dataDir, "clickhouse"), log: line("clickhouse") })
      : undefined,
  ]);
  const postgresUrl = settings.databaseUrl ?? ownPostgres?.url ?? "";
  const postgres = connectPostgres(postgresUrl);
  const clickhouseUrl = settings.clickhouseUrl ?? ownClickhouse?.url ?? "";
  const clickhouse = connectClickHouse(clickhouseUrl);
  const stop = async () => {
    await Promise.all([postgres.close(), clickhouse.close()]);
    await Promise.all([ownPostgres?.stop(), ownClickhouse?.stop()]);
  };
  try {
    await answers("DATABASE_URL", settings.databaseUrl, () => postgres.pool.query("SELECT 1"));
    await answers("CLICKHOUSE_URL", settings.clickhouseUrl, () => clickhouse.ping());
    const patient = connectClickHouse(clickhouseUrl, { requestTimeoutMs: AN_HOUR_MS });
    try {
      await migrateStores({
        pool: postgres.pool,
        write: patient.write,
        migrationsDir,
        beforeUpgrade: () => shipBeforeUpgrade(dataDir, { clickhouse, clock: systemClock, log }),
      });
      await raiseSequences(postgres.pool, patient.write, log);
    } finally {
      await patient.close();
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return { postgres, clickhouse, postgresUrl, clickhouseUrl, checks: storeChecks(postgres, clickhouse), stop };
}

export const storeChecks = ({ pool }: Pick<Postgres, "pool">, clickhouse: Pick<ClickHouse, "ping">) => ({
  postgres: () => pool.query("SELECT 1"),
  clickhouse: () => clickhouse.ping(),
});

/** An operator's store that does not answer is a wrong setting: the error names the setting and hides the password. */
async function answers(setting: string, url: string | undefined, ask: () => Promise<unknown>): Promise<void> {
  try {
    await ask();
  } catch (error) {
    if (url === undefined) throw error;
    throw new StartError(`The store at ${setting} does not answer: ${errorMessage(error)}.`);
  }
}

/**
 * Warns if the data directory has an embedded store that a setting replaces. Its data stay there, and the server that replaces it may
 * be empty: apps would then be unknown, and balances zero.
 */
export async function warnOfUnusedStores(settings: Settings, dataDir: string, log: Pick<Log, "warn">): Promise<void> {
  const replaced = [
    {
      setting: "DATABASE_URL",
      isSet: settings.databaseUrl !== undefined,
      folder: join(dataDir, "postgres", "cluster"),
    },
    {
      setting: "CLICKHOUSE_URL",
      isSet: settings.clickhouseUrl !== undefined,
      folder: join(dataDir, "clickhouse", "store"),
    },
  ];
  for (const { setting, isSet, folder } of replaced) {
    if (!isSet || !(await stat(folder).then(Boolean, () => false))) continue;
    log.warn(
      { folder },
      `${setting} is set, so the data of the embedded store are not used: see the help on moving them`,
    );
  }
}
