import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";
import { startChdb } from "../clickhouse/start-chdb.ts";
import { migratePostgres } from "../migrate/migrate-postgres.ts";
import { connectPostgres } from "../postgres/connect-postgres.ts";
import { startPostgres } from "../postgres/start-postgres.ts";

declare module "vitest" {
  interface ProvidedContext {
    stores: { postgresUrl: string; clickhouseUrl: string; migrationsDir: string };
  }
}

/** The template of the databases of test files. */
export const templateDatabase = "millrace";

/** Starts one PostgreSQL and one chDB for the whole run; `testStores` gives each test file its own databases. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dir = await mkdtemp(join(tmpdir(), "millrace-test-"));
  const lines: string[] = [];
  const log = (line: string): void => void lines.push(line);
  const migrationsDir = fileURLToPath(new URL("../../../migrations", import.meta.url));
  const [postgres, chdb] = await Promise.all([
    startPostgres({ dir: join(dir, "postgres"), log, durable: false }),
    startChdb({ dir: join(dir, "clickhouse"), log }),
  ]);
  const template = connectPostgres(postgres.url, { max: 1 });
  await migratePostgres(template.pool, join(migrationsDir, "postgres"));
  // A database with a connection on it cannot be copied.
  await template.close();
  project.provide("stores", { postgresUrl: postgres.url, clickhouseUrl: chdb.url, migrationsDir });
  return async () => {
    await Promise.all([postgres.stop(), chdb.stop()]);
    await rm(dir, { recursive: true, force: true });
  };
}
