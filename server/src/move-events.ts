import { rename, stat } from "node:fs/promises";
import { join } from "node:path";
import { PLACES } from "./places.ts";
import { AN_HOUR_MS, connectClickHouse } from "./platform/clickhouse/connect-clickhouse.ts";
import { copyTables } from "./platform/clickhouse/copy-tables.ts";
import { systemClock } from "./platform/clock.ts";
import { errorMessage } from "./platform/error-message.ts";
import { migrateClickHouse } from "./platform/migrate/migrate-clickhouse.ts";
import { UNFINISHED_MOVE } from "./platform/migrate/migrate-stores.ts";
import type { Settings } from "./platform/settings.ts";
import { StartError } from "./platform/start-error.ts";
import { shipJournals } from "./ship-leftovers.ts";
import type { Stores } from "./start-stores.ts";
import { withStores } from "./with-stores.ts";

/**
 * `millrace move events`: copies all events and statistics of the embedded store into the empty database of CLICKHOUSE_URL, compares
 * them, and puts the embedded ones aside. Throws StartError, and then the embedded store is as it was.
 */
export async function moveEvents(settings: Settings): Promise<void> {
  const { clickhouseUrl: target, dataDir } = settings;
  if (target === undefined)
    throw new StartError("Set CLICKHOUSE_URL to the ClickHouse database that the events move to.");
  const embedded = join(dataDir, "clickhouse");
  const moved = `${embedded}.moved`;
  if (!(await isThere(join(embedded, "store")))) {
    throw new StartError(`There is no embedded store in ${embedded}, so there is nothing to move.`);
  }
  // The rename at the end would fail, once everything is moved.
  if (await isThere(moved)) {
    throw new StartError(`${moved} is an embedded store that was moved before: delete it, or put it elsewhere.`);
  }
  await withStores({ ...settings, clickhouseUrl: undefined }, async (stores, root, log) => {
    // A row that waits in a journal may be stored already, and only the embedded store knows.
    await shipJournals(root, { clickhouse: stores.clickhouse, clock: systemClock, log });
    await moveInto(target, stores);
  });
  await rename(embedded, moved);
  process.stdout.write(
    `All events are moved. Start the platform with CLICKHOUSE_URL. What was moved is in ${moved} until you delete it.\n`,
  );
}

const isThere = (path: string): Promise<boolean> => stat(path).then(Boolean, () => false);

async function moveInto(target: string, { clickhouseUrl }: Stores): Promise<void> {
  const from = connectClickHouse(clickhouseUrl, { requestTimeoutMs: AN_HOUR_MS });
  const to = connectClickHouse(target, { requestTimeoutMs: AN_HOUR_MS });
  try {
    await assertEmpty(to);
    await to.write.command({ query: `CREATE TABLE ${UNFINISHED_MOVE} (at DateTime) ENGINE = MergeTree ORDER BY at` });
    await migrateClickHouse(to.write, join(PLACES.migrations, "clickhouse"));
    const without = ["schema_migrations", UNFINISHED_MOVE];
    await copyTables({ from: from.write, to: to.write, without }, (table, rows) => {
      process.stdout.write(`${table}: ${rows} rows\n`);
    });
    await to.write.command({ query: `DROP TABLE ${UNFINISHED_MOVE}` });
  } finally {
    await Promise.all([from.close(), to.close()]);
  }
}

async function assertEmpty({ read }: ReturnType<typeof connectClickHouse>): Promise<void> {
  const query = "SELECT count() > 0 AS isUsed FROM system.tables WHERE database = currentDatabase()";
  const found = await read.query({ query, format: "JSONEachRow" }).catch((error: unknown) => {
    throw new StartError(`The store at CLICKHOUSE_URL does not answer: ${errorMessage(error)}.`);
  });
  const [row] = await found.json<{ isUsed: number }>();
  if (row?.isUsed === 1) {
    throw new StartError(
      "The database of CLICKHOUSE_URL has tables. Events move into an empty one, so that nothing counts twice.",
    );
  }
}
