import { randomUUID } from "node:crypto";
import { drainPending, Session } from "chdb";
import { asException, Exception } from "./exception.ts";

/**
 * Settings of every connection. The engine's default output differs from a server's in some; `log_comment` is set per
 * connection, so that its running query can be found and killed.
 */
const baseline = (reading: boolean): Record<string, string> => ({
  output_format_json_quote_64bit_integers: "1",
  input_format_skip_unknown_fields: "0",
  date_time_input_format: "best_effort",
  session_timezone: "UTC",
  deduplicate_blocks_in_dependent_materialized_views: "1",
  // A query reads columns of many small parts. They are mostly in the page cache, where giving each read to another thread
  // takes longer than reading.
  local_filesystem_read_method: "pread",
  // An abandoned query would hold its connection for ever: the engine's library has no cancel.
  max_execution_time: reading ? "30" : "60",
});

export type EngineOptions = {
  path: string;
  maxMemoryBytes: number;
  /** The one folder of `BACKUP` and `RESTORE`. */
  backupDir?: string;
};

/** One connection to the engine. It runs one query at a time. */
export type Connection = {
  session: Session;
  mark: string;
  readonly: boolean;
  database: string;
  /** Names of parameters an earlier query has left on it. */
  boundBefore: Set<string>;
};

export type Engine = {
  /** `reading` chooses the limits; `readonly` closes the connection to every change, of its settings too. */
  open: (options: { reading: boolean; readonly: boolean }) => Connection;
  /** Ends the query that runs on the connection, if any. */
  kill: (connection: Connection) => Promise<void>;
  /** Ends every query and lets go of the data directory. */
  close: () => Promise<void>;
};

/** Opens the one data path this process may have, and makes the database `millrace`. */
export async function openEngine(options: EngineOptions): Promise<Engine> {
  const { path, maxMemoryBytes, backupDir } = options;
  const shared = {
    max_memory_usage: String(maxMemoryBytes),
    ...(backupDir === undefined ? {} : { "backups.allowed_path": backupDir }),
  };
  const argsOf = (reading: boolean, more: Record<string, string> = {}): string[] =>
    Object.entries({ ...baseline(reading), ...shared, ...more }).map(([name, value]) => `--${name}=${value}`);
  // Kept for kills: as long as it is open the engine stays, however many connections come and go.
  const control = new Session(path, { connectionArgs: argsOf(false) });
  await control.queryAsync("CREATE DATABASE IF NOT EXISTS millrace ENGINE = Atomic");

  const killWhere = async (condition: string): Promise<void> => {
    // ASYNC, because waiting for the end of a killed query (SYNC) never returns in this engine.
    await control.queryAsync(`KILL QUERY WHERE ${condition} ASYNC`).catch(() => undefined);
  };
  return {
    open({ reading, readonly }) {
      const mark = randomUUID();
      const own = argsOf(reading, { log_comment: mark, ...(readonly ? { readonly: "1" } : {}) });
      return {
        session: new Session(path, { connectionArgs: own }),
        mark,
        readonly,
        database: "default",
        boundBefore: new Set(),
      };
    },
    kill: (connection) => killWhere(`Settings['log_comment'] = '${connection.mark}'`),
    async close() {
      // Leaving with a query running would block for as long as it runs.
      await killWhere("Settings['log_comment'] != ''");
      control.close();
      await drainPending();
    },
  };
}

/** Runs a statement that has no result of interest. Throws Exception. */
export async function run(connection: Connection, sql: string): Promise<void> {
  try {
    await connection.session.queryAsync(sql);
  } catch (error) {
    throw asException(error);
  }
}

/**
 * Frees a connection of what a failed query has left on it: the next query gets its partial rows, and is the engine's moment to
 * let go of its memory. Resolves to whether the connection answers as it should.
 */
export async function settle(connection: Connection): Promise<boolean> {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const answer = await connection.session.queryAsync("SELECT 1").then(
      (result) => result.text(),
      () => "",
    );
    if (answer === "1\n") return true;
  }
  return false;
}

/** `SET` with values as quoted literals, so that a value can never be SQL. Names are checked by the caller. */
export function setStatement(values: readonly (readonly [string, string])[]): string {
  return `SET ${values.map(([name, value]) => `${name} = ${quoted(value)}`).join(", ")}`;
}

/** A ClickHouse string literal. */
export function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}

/** Whether a setting already has this value on every connection, so that it need not be set. */
export function isBaseline(name: string, value: string, readonly: boolean): boolean {
  return baseline(readonly)[name] === value || (name === "readonly" && (value === "1") === readonly);
}

export function assertIdentifier(name: string): void {
  if (!/^\w+$/.test(name))
    throw new Exception(115, "UNKNOWN_SETTING", `Setting ${name} is neither a builtin setting nor a custom one`);
}
