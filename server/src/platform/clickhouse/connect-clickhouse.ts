import { Agent } from "node:http";
import {
  ClickHouseLogLevel,
  createClient,
  type ClickHouseClient,
  type ClickHouseClientConfigOptions,
} from "@clickhouse/client";
import { retryOnConnectionLoss } from "../retry-on-connection-loss.ts";

export type ConnectClickHouseOptions = {
  /** Another database than the address names. */
  database?: string;
  /** How long a read is tried again while the store starts again. */
  retryDeadlineMs?: number;
  /** How long an answer may take. */
  requestTimeoutMs?: number;
};

/** For statements that fill a table from another, as migrations do. */
export const AN_HOUR_MS = 3_600_000;

/** The analytical store: `read` is a read-only user of it, tried again when the connection is lost; `write` is not. */
export type ClickHouse = {
  write: ClickHouseClient;
  read: ClickHouseClient;
  /** Rejects unless the store answers a query. */
  ping: () => Promise<void>;
  close: () => Promise<void>;
};

/** The same on both sides of CLICKHOUSE_URL, so that what is tested embedded is what runs on a server. */
const sharedSettings = {
  output_format_json_quote_64bit_integers: 1,
  date_time_input_format: "best_effort",
  input_format_skip_unknown_fields: 0,
} as const;

/**
 * Opens CLICKHOUSE_URL, a ClickHouse server, or the embedded store's url, which names a socket (`?socket=`). The
 * official client speaks to both.
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
    // An agent for each client: a client ends the sockets that it has left idle, and would end another's request on them.
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
      // A result that is not read to its end keeps its connection, of which there are 32.
      await (await read.query({ query: "SELECT 1" })).text();
    },
    async close() {
      await Promise.all([write.close(), read.close()]);
    },
  };
}

/** Node hands an agent's options on to the connection, and its types leave the path out. */
type AgentOptionsWithSocket = ConstructorParameters<typeof Agent>[0] & { socketPath: string };
