import { rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ProvidedContext } from "vitest";
import type { TestProject } from "vitest/node";
import { connectClickHouse } from "../clickhouse/connect-clickhouse.ts";
import { startChdb } from "../clickhouse/start-chdb.ts";
import { migrateClickHouse } from "../migrate/migrate-clickhouse.ts";
import { migratePostgres } from "../migrate/migrate-postgres.ts";
import { connectPostgres } from "../postgres/connect-postgres.ts";
import { startPostgres } from "../postgres/start-postgres.ts";
import { provideRedis } from "./find-redis.ts";
import { makeStoresDir } from "./stores-dir.ts";

declare module "vitest" {
  interface ProvidedContext {
    stores: {
      postgresUrl: string;
      clickhouseUrl: string;
      migrationsDir: string;
    };
  }
}

/** The template of the databases of test files: both embedded stores create it at their start. */
export const templateDatabase = "millrace";
/** The template's backup in chDB, migrated: the tables, and the names of the migrations. */
export const templateBackup = "File('template')";

interface Started {
  stores: ProvidedContext["stores"];
  stop(): Promise<void>;
}

/** Where the projects of a run find each other's stores: each loads this module anew, in one process. */
const SHARED = Symbol.for("millrace.test-stores");
const places = globalThis as { [SHARED]?: { projects: number; started: Promise<Started> } };

/** One PostgreSQL and one chDB for the whole run, of all its projects; `testStores` gives each test file its own databases. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const shared = (places[SHARED] ??= { projects: 0, started: startStores() });
  shared.projects += 1;
  const { stores, stop } = await shared.started;
  project.provide("stores", stores);
  return async () => {
    shared.projects -= 1;
    if (shared.projects > 0) return;
    delete places[SHARED];
    await stop();
  };
}

async function startStores(): Promise<Started> {
  // Here, because two test files cannot install it at once.
  provideRedis();
  const dir = await makeStoresDir("millrace-test-");
  const lines: string[] = [];
  const log = (line: string): void => void lines.push(line);
  const migrationsDir = fileURLToPath(new URL("../../../migrations", import.meta.url));
  const [postgres, chdb] = await Promise.all([
    startPostgres({ dir: join(dir, "postgres"), log, durable: false }),
    startChdb({ dir: join(dir, "clickhouse"), log, backupDir: join(dir, "backups") }),
  ]);
  const template = connectPostgres(postgres.url, { max: 1 });
  await migratePostgres(template.pool, join(migrationsDir, "postgres"));
  // A database with a connection on it cannot be copied.
  await template.close();
  await backUpTemplate(chdb.url, join(migrationsDir, "clickhouse"));
  return {
    stores: { postgresUrl: postgres.url, clickhouseUrl: chdb.url, migrationsDir },
    async stop() {
      await Promise.all([postgres.stop(), chdb.stop()]);
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** Migrates the template in chDB, and backs it up: restoring it is one statement, and takes half as long as creating its tables. */
async function backUpTemplate(chdbUrl: string, migrationsDir: string): Promise<void> {
  const template = connectClickHouse(withDatabase(chdbUrl, templateDatabase));
  await migrateClickHouse(template.write, migrationsDir);
  await template.write.command({ query: `BACKUP DATABASE ${templateDatabase} TO ${templateBackup}` });
  await template.close();
}

/** The address of another database of the same server. */
export function withDatabase(url: string, database: string): string {
  const address = new URL(url);
  address.pathname = `/${database}`;
  return address.href;
}
