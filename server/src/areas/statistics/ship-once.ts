import type { ClickHouseClient } from "@clickhouse/client";
import { NO_TIME_LIMIT } from "../../platform/clickhouse/connect-clickhouse.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Block, Ship } from "../../platform/journal/block.ts";
import { beginsBefore } from "./closed-days.ts";

/** The store cannot forget the token of a younger block, however many processes ship. */
const LATE_MS = 600_000;
/** The store knows a token for at least so many blocks of events: each table remembers four times as many, or more. */
const KNOWN_BLOCKS = 2500;

/** The columns that identify a row of the tables that money and statistics are counted from. Of the others, the token alone decides. */
const KEYS = new Map([
  ["events", ["event_id"]],
  ["auctions", ["auction_id", "imp_id"]],
]);

interface Late {
  read: ClickHouseClient;
  clock: Clock;
  /** For tests: how many blocks later a token counts as forgotten. */
  knownBlocks?: number;
}

/**
 * Ships as `ship` does, so that rows of an old block count once even if the store has forgotten its token: what the table has
 * is left out then. While the store may know the token, it is sent whole, because that completes the rollups.
 */
export const shipOnce =
  (ship: Ship, { read, clock, knownBlocks = KNOWN_BLOCKS }: Late): Ship =>
  async (block) => {
    const keys = KEYS.get(block.table);
    if (!keys || !beginsBefore(block.rows, clock.now() - LATE_MS)) return ship(block);
    const rows = rowsOf(block, keys);
    const from = Math.min(...rows.map(({ atMs }) => atMs));
    const until = Math.max(...rows.map(({ atMs }) => atMs));
    if (!Number.isFinite(from) || !Number.isFinite(until)) return ship(block);
    const stored = await storedKeys(read, block.table, keys, { from, until });
    const missing = rows.filter(({ key }) => !stored.has(key));
    if (missing.length === rows.length || (await blocksSince(read, from)) < knownBlocks) return ship(block);
    if (missing.length === 0) return;
    const left = Buffer.from(missing.map(({ line }) => `${line}\n`).join(""));
    await ship({ ...block, token: `${block.token}/rest`, count: missing.length, rows: left });
  };

interface Row {
  line: string;
  key: string;
  atMs: number;
}

function rowsOf({ rows }: Block, keys: readonly string[]): Row[] {
  return rows
    .toString()
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const row = JSON.parse(line) as Record<string, unknown>;
      return { line, key: keys.map((key) => String(row[key])).join(" "), atMs: Math.round(Number(row["at"]) * 1000) };
    });
}

async function storedKeys(
  read: ClickHouseClient,
  table: string,
  keys: readonly string[],
  range: { from: number; until: number },
): Promise<ReadonlySet<string>> {
  const found = await read.query({
    query: `SELECT concatWithSeparator(' ', ${keys.map((key) => `toString(${key})`).join(", ")}) FROM ${table}
      WHERE at BETWEEN fromUnixTimestamp64Milli({from:Int64}) AND fromUnixTimestamp64Milli({until:Int64})`,
    query_params: range,
    format: "JSONCompactEachRow",
    clickhouse_settings: NO_TIME_LIMIT,
  });
  const stored = new Set<string>();
  for await (const rows of found.stream<[string]>()) for (const row of rows) stored.add(row.json()[0]);
  return stored;
}

/** How many blocks of events the store has taken since a moment, of all processes. A block is stored at one moment. */
async function blocksSince(read: ClickHouseClient, sinceMs: number): Promise<number> {
  const found = await read.query({
    query:
      "SELECT toFloat64(uniqExact(stored_at)) AS blocks FROM events WHERE stored_at >= fromUnixTimestamp64Milli({sinceMs:Int64})",
    query_params: { sinceMs },
    format: "JSONEachRow",
    clickhouse_settings: NO_TIME_LIMIT,
  });
  return (await found.json<{ blocks: number }>())[0]?.blocks ?? 0;
}
