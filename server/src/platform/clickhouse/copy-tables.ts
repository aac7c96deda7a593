import type { ClickHouseClient } from "@clickhouse/client";
import { StartError } from "../start-error.ts";
import { NO_TIME_LIMIT } from "./connect-clickhouse.ts";

/** Copies equal rows, too: a block that is like an earlier one would otherwise be taken for its repetition. */
const INSERT = { ...NO_TIME_LIMIT, insert_deduplicate: 0, max_partitions_per_insert_block: "0" } as const;

interface Table {
  name: string;
  engine: string;
  /** Whether rows expire; each store deletes them at its own time. */
  expires: 0 | 1;
  /** Those that are stored and not computed, in their order. */
  columns: string[];
}

/**
 * Copies the rows of a database's tables, except for those in `without`, into the same tables of another database, which are empty. That
 * one has no views during the copy, because they would count each row again. Calls `say` after each table. Throws StartError if a copy
 * differs. Tables whose rows expire are not compared, because each store deletes them at its own time.
 */
export async function copyTables(
  { from, to, without }: { from: ClickHouseClient; to: ClickHouseClient; without: readonly string[] },
  say: (table: string, rows: string) => void,
): Promise<void> {
  const views = await rowsOf<{ name: string; statement: string }>(
    to,
    `SELECT name, create_table_query AS statement FROM system.tables
     WHERE database = currentDatabase() AND engine = 'MaterializedView'`,
  );
  const tables = await rowsOf<Table>(
    to,
    `SELECT t.name AS name, t.engine AS engine, position(t.engine_full, ' TTL ') > 0 AS expires, groupArray(c.name) AS columns
     FROM system.tables AS t
     JOIN (
       SELECT table, name FROM system.columns
       WHERE database = currentDatabase() AND default_kind NOT IN ('MATERIALIZED', 'ALIAS') ORDER BY table, position
     ) AS c ON c.table = t.name
     WHERE t.database = currentDatabase() AND t.engine LIKE '%MergeTree'
     GROUP BY name, engine, expires ORDER BY name`,
  );
  for (const { name } of views) await to.command({ query: `DROP VIEW \`${name}\`` });
  for (const table of tables) {
    if (without.includes(table.name)) continue;
    await copy(table, from, to);
    const [before, after] = [await factsOf(from, table), await factsOf(to, table)];
    if (table.expires === 0 && (before.hash !== after.hash || before.rows !== after.rows)) {
      throw new StartError(`The copy of the table ${table.name} differs: it has ${after.rows} rows of ${before.rows}.`);
    }
    say(table.name, after.rows);
  }
  for (const { statement } of views) await to.command({ query: statement });
}

/** Copies as text, which the embedded store can send row by row. */
async function copy({ name, columns }: Table, from: ClickHouseClient, to: ClickHouseClient): Promise<void> {
  const list = columns.map((column) => `\`${column}\``).join(", ");
  const { stream } = await from.exec({
    query: `SELECT ${list} FROM \`${name}\` FORMAT TabSeparated`,
    clickhouse_settings: NO_TIME_LIMIT,
  });
  const done = await to.exec({
    query: `INSERT INTO ${name} (${columns.join(", ")}) FORMAT TabSeparated`,
    values: stream,
    clickhouse_settings: INSERT,
  });
  done.stream.resume();
}

/** How many rows a table has once its parts are merged, and a hash of them unless that depends on the order of merging. */
async function factsOf(client: ClickHouseClient, { name, engine }: Table): Promise<{ rows: string; hash: string }> {
  const isMerged = engine !== "MergeTree";
  const isOrdered = /^(Replacing|Aggregating)/.test(engine);
  const hash = isOrdered ? "''" : "toString(groupBitXor(cityHash64(*)))";
  const [facts] = await rowsOf<{ rows: string; hash: string }>(
    client,
    `SELECT toString(count()) AS rows, ${hash} AS hash FROM \`${name}\` ${isMerged ? "FINAL" : ""}`,
  );
  return facts ?? { rows: "0", hash: "" };
}

async function rowsOf<Row>(client: ClickHouseClient, query: string): Promise<Row[]> {
  const result = await client.query({ query, format: "JSONEachRow", clickhouse_settings: NO_TIME_LIMIT });
  return result.json<Row>();
}
