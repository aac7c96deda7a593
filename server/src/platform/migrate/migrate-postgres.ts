import pg from "pg";
import { errorMessage } from "../error-message.ts";
import { retryOnConnectionLoss } from "../retry-on-connection-loss.ts";
import { StartError } from "../start-error.ts";
import { pendingMigrations, readMigrations } from "./read-migrations.ts";

/** Any number, the same in every version: a migration holds this advisory lock. */
const LOCK_KEY = 7_104_512_231;
const CONNECT_MS = 10_000;

/** Holds the advisory lock of migrations while `run` runs; a second platform waits for its turn. */
export async function withMigrationLock<T>(pool: pg.Pool, run: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await retryOnConnectionLoss(() => connectUnlimited(pool), { deadlineMs: CONNECT_MS });
  try {
    await client.query("select pg_advisory_lock($1)", [LOCK_KEY]);
    return await run(client);
  } finally {
    // Which releases the lock.
    await client.end().catch(() => undefined);
  }
}

/** A connection without the pool's limits: another platform's migration may take longer than a statement may. */
async function connectUnlimited(pool: pg.Pool): Promise<pg.Client> {
  const client = new pg.Client({ ...pool.options, statement_timeout: 0, query_timeout: 0 });
  // One that breaks fails the next statement.
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

/**
 * Applies the new SQL files of `dir`, each in a transaction with its record. Returns their names. Throws StartError for
 * a file that fails, or that was changed after it was applied.
 */
export async function migratePostgres(pool: pg.Pool, dir: string): Promise<string[]> {
  const files = await readMigrations(dir);
  return withMigrationLock(pool, async (client) => {
    await client.query(
      `create table if not exists schema_migrations (
         name text primary key, checksum text not null, applied_at timestamptz not null default now())`,
    );
    const { rows } = await client.query<{ name: string; checksum: string }>(
      "select name, checksum from schema_migrations",
    );
    const pending = pendingMigrations(files, new Map(rows.map((row) => [row.name, row.checksum])));
    for (const { name, sql, checksum } of pending) {
      try {
        await client.query("begin");
        await client.query(sql);
        await client.query("insert into schema_migrations (name, checksum) values ($1, $2)", [name, checksum]);
        await client.query("commit");
      } catch (error) {
        throw new StartError(`The migration ${name} failed: ${errorMessage(error)}`);
      }
    }
    return pending.map((file) => file.name);
  });
}
