import { Agent } from "node:http";
import {
  ClickHouseLogLevel,
  createClient,
  type ClickHouseClient,
  type ClickHouseClientConfigOptions,
} from "@clickhouse/client";
import { retryOnConnectionLoss } from "../retry-on-connection-loss.ts";

export type ConnectClickHouseOptions = {
  /** A database other than the address names. */
  database?: string;
  /** How long reads are retried while the store restarts. */
  retryDeadlineMs?: number;
  /** Time limit of an answer. */
  requestTimeoutMs?: number;
};

/** For statements that fill a table from another, as migrations do. */
export const AN_HOUR_MS = 3_600_000;

/** For queries that are read row by row: a busy day has millions of rows, and their reader may be slow. */
export const NO_TIME_LIMIT = { max_execution_time: 0 } as const;

/** The analytical store. `read` is a read-only user and retries when the connection is lost; `write` does not. */
export type ClickHouse = {
  write: ClickHouseClient;
  read: ClickHouseClient;
  /** Rejects unless the store answers a query. */
  ping: () => Promise<void>;
  close: () => Promise<void>;
};

/** The same for the embedded store and a server, so that the tests cover both. */
const sharedSettings = {
  output_format_json_quote_64bit_integers: 1,
  date_time_input_format: "best_effort",
  input_format_skip_unknown_fields: 0,
} as const;

/**
 * Connects to CLICKHOUSE_URL (a ClickHouse server) or to the embedded store, whose url names a socket (`?socket=`), with
 * the official client.
 */
export function connectClickHouse(url: string, options: ConnectClickHouseOptions = {}): ClickHouse {
  const { retryDeadlineMs = 10_000, requestTimeoutMs = 60_000 } = options;
  const address = new URL(url);
  const socketPath = address.searchParams.get("socket");
  address.searchParams.delete("socket");
  if (options.database !== undefined) address.pathname = `/${encodeURIComponent(options.database)}`;
  const agentOptions = { keepAlive: true, maxSockets: 32 };
  const config = (): ClickHouseClientConfigOptions => ({
    url: address,
    request_timeout: requestTimeoutMs,
    max_open_connections: agentOptions.maxSockets,
    application: "millrace",
    log: { level: ClickHouseLogLevel.OFF },
    // One agent per client: a client closes its idle sockets, and on a shared agent another client's request may be on them.
    ...(socketPath === null
      ? {}
      : { http_agent: new Agent({ ...agentOptions, socketPath } as AgentOptionsWithSocket) }),
  });
  const write = createClient({
    ...config(),
    clickhouse_settings: {
      ...sharedSettings,
      deduplicate_blocks_in_dependent_materialized_views: 1,
      max_execution_time: 60,
    },
  });
  const read = createClient({
    ...config(),
    clickhouse_settings: { ...sharedSettings, readonly: "1", max_execution_time: 30 },
  });
  const query = read.query.bind(read);
  read.query = (params) => retryOnConnectionLoss(() => query(params), { deadlineMs: retryDeadlineMs });
  return {
    write,
    read,
    async ping() {
      // An unread result keeps its connection, and there are only 32.
      await (await read.query({ query: "SELECT 1" })).text();
    },
    async close() {
      await Promise.all([write.close(), read.close()]);
    },
  };
}

/** Node passes an agent's options on to the connection, but its types lack the path. */
type AgentOptionsWithSocket = ConstructorParameters<typeof Agent>[0] & { socketPath: string };
