import pg from "pg";
import { retryOnConnectionLoss } from "../retry-on-connection-loss.ts";

export type ConnectPostgresOptions = {
  /** Connections at most. */
  max?: number;
  /** A statement that runs longer is cancelled by the server (SQLSTATE 57014). */
  statementTimeoutMs?: number;
  /** How long taking a connection waits for a restarting server. */
  connectDeadlineMs?: number;
};

/** What a process may have open: 10 in its pool, 3 of the budgets', one that listens, and one that holds its lock. */
export const CONNECTIONS_PER_PROCESS = 15;

/** So much longer than the server needs to cancel a statement, the client waits for its answer. */
const LATER_MS = 5000;

/** The relational store. */
export type Postgres = { pool: pg.Pool; close: () => Promise<void> };

/**
 * Opens a pool on DATABASE_URL or on the embedded server's url. Taking a connection retries while the server restarts;
 * a statement interrupted by its death fails, because only its caller knows whether it may run twice (see
 * `retryOnConnectionLoss`). A connection that answers nothing any more, as after a failover that told nobody, is given up soon after
 * the statement's time is over. pg's defaults for types stay: int8, numeric and count(*) arrive as strings.
 */
export function connectPostgres(url: string, options: ConnectPostgresOptions = {}): Postgres {
  const { max = 10, statementTimeoutMs = 30_000, connectDeadlineMs = 10_000 } = options;
  const pool = new PatientPool(
    {
      connectionString: url,
      max,
      statement_timeout: statementTimeoutMs,
      query_timeout: statementTimeoutMs + LATER_MS,
      keepAlive: true,
      idle_in_transaction_session_timeout: 60_000,
      connectionTimeoutMillis: connectDeadlineMs,
      application_name: "millrace",
      allowExitOnIdle: true,
    },
    connectDeadlineMs,
  );
  // A server's death breaks idle connections too; the pool drops them and opens new ones.
  pool.on("error", () => undefined);
  // It breaks those in use as well, between two statements of a transaction: the next statement fails then, not the process.
  pool.on("connect", (client) => void client.on("error", () => undefined));
  let closed: Promise<void> | undefined;
  return { pool, close: () => (closed ??= pool.end()) };
}

type ConnectCallback = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: boolean) => void,
) => void;

/** `pool.query` and transactions both take their connection here, so this is the only place that waits. */
class PatientPool extends pg.Pool {
  readonly #deadlineMs: number;

  constructor(config: pg.PoolConfig, deadlineMs: number) {
    super(config);
    this.#deadlineMs = deadlineMs;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<pg.PoolClient> | void {
    const client = retryOnConnectionLoss(() => super.connect(), { deadlineMs: this.#deadlineMs });
    if (callback === undefined) return client;
    void hand(client, callback);
  }
}

async function hand(connecting: Promise<pg.PoolClient>, callback: ConnectCallback): Promise<void> {
  let client: pg.PoolClient;
  try {
    client = await connecting;
  } catch (error) {
    callback(error instanceof Error ? error : new Error(String(error)), undefined, () => undefined);
    return;
  }
  callback(undefined, client, (release) => client.release(release));
}
