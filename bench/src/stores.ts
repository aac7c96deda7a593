import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  AN_HOUR_MS,
  type ClickHouse,
  connectClickHouse,
} from "../../server/src/platform/clickhouse/connect-clickhouse.ts";
import { startChdb } from "../../server/src/platform/clickhouse/start-chdb.ts";
import { migrateStores } from "../../server/src/platform/migrate/migrate-stores.ts";
import { connectPostgres, type Postgres } from "../../server/src/platform/postgres/connect-postgres.ts";
import { startPostgres } from "../../server/src/platform/postgres/start-postgres.ts";

const MIGRATIONS = fileURLToPath(new URL("../../server/migrations", import.meta.url));

const BUILT_CHDB = fileURLToPath(new URL("../../server/dist/chdb-child.js", import.meta.url));

/** The secret of the measured platforms, which lets them open keys and beacons that the benchmark seals. */
export const BENCH_SECRET = "the-bench-signs-its-beacons-with-this";

/** The two stores as child processes of the benchmark, so that it can query them and the platform is a single process. */
export interface BenchStores {
  pool: Postgres["pool"];
  clickhouse: ClickHouse;
  /** The settings with which a platform uses these stores. */
  env: { DATABASE_URL: string; CLICKHOUSE_URL: string; MILLRACE_SECRET: string };
  stop(): Promise<void>;
}

/** Starts both stores in a folder and runs the migrations. */
export async function openStores(dir: string): Promise<BenchStores> {
  await mkdir(dir, { recursive: true });
  const stores = await startStores(dir);
  const patient = connectClickHouse(stores.env.CLICKHOUSE_URL, { requestTimeoutMs: AN_HOUR_MS });
  await migrateStores({ pool: stores.pool, write: patient.write, migrationsDir: MIGRATIONS });
  await patient.close();
  return stores;
}

/** Starts both stores of a folder without migrations. The analytical store runs from the build, as in a platform. */
export async function startStores(dir: string): Promise<BenchStores> {
  const log = () => undefined;
  const [postgres, chdb] = await Promise.all([
    startPostgres({ dir: join(dir, "postgres"), log }),
    startChdb({ dir: join(dir, "clickhouse"), log, childFile: BUILT_CHDB }),
  ]);
  const pg = connectPostgres(postgres.url, { max: 4 });
  const clickhouse = connectClickHouse(chdb.url);
  return {
    pool: pg.pool,
    clickhouse,
    env: { DATABASE_URL: postgres.url, CLICKHOUSE_URL: chdb.url, MILLRACE_SECRET: BENCH_SECRET },
    async stop() {
      await Promise.all([pg.close(), clickhouse.close()]);
      await Promise.all([postgres.stop(), chdb.stop()]);
    },
  };
}

export async function rowsOf<Row>({ read }: ClickHouse, query: string): Promise<Row[]> {
  return (await read.query({ query, format: "JSONEachRow" })).json<Row>();
}
