import { type ClickHouseClient, ClickHouseError } from "@clickhouse/client";
import type { LRUCache } from "lru-cache";
import type { z } from "zod";
import { type Stat, runStat } from "../../platform/clickhouse/define-stat.ts";
import type { Clock } from "../../platform/clock.ts";
import { Problem } from "../../platform/http/problem.ts";
import { lruCache } from "../../platform/lru-cache.ts";
import { isConnectionLoss } from "../../platform/retry-on-connection-loss.ts";
import { type ClosedDays, closedDays } from "./closed-days.ts";
import type { Sizes } from "./sampling.ts";
import { withSetFilters } from "./scope.ts";

/**
 * Runs a statistics query; Problem `unavailable` while the store is away or overloaded, so that the page offers a retry.
 * `keepMs` is how long the answer is reused, if not as long as other answers about the same days.
 */
export interface AskStore {
  <Params extends z.ZodObject, Row extends z.ZodObject>(
    stat: Stat<Params, Row>,
    params: z.input<Params>,
    keepMs?: number,
  ): Promise<readonly z.output<Row>[]>;
  /** Which days are over, and whether earlier answers about them still hold. */
  closed: ClosedDays;
  /** Devices of each group in one bucket when similar groups were last counted, from which the next count is planned. */
  sizes: LRUCache<string, Sizes>;
  /** Devices by day, of days that are over. */
  byDay: LRUCache<string, { askedAtMs: number; devices: number }>;
}

/** All viewers of a page ask the same every few seconds; today's numbers may be this late and no later. */
const LIVE_MS = 300;
/** How many rows all kept answers may have, so that no viewer fills the memory with tables of years. */
const MOST_ROWS = 200_000;
const MOST_SIZES = 100_000;
const MOST_DAYS = 20_000;
/** An entry takes as much memory as this many rows, and as much as a row for this much of its key, which may have thousands of ids. */
const ENTRY_ROWS = 5;
const CHARACTERS_PER_ROW = 200;

const weightOf = (rows: number, key: string): number => ENTRY_ROWS + rows + Math.ceil(key.length / CHARACTERS_PER_ROW);

interface KeptAnswer {
  askedAtMs: number;
  rows: Promise<readonly unknown[]>;
  /** 0 until they are read. */
  count: number;
}

interface AskStoreDeps {
  read: ClickHouseClient;
  clock: Clock;
  /** Awaited before a question about days that are not over; other questions hurry no rows to the store. */
  look?: () => Promise<void>;
}

/** Queries the store; callers with the same question at the same time share one query. */
export function askStore({ read, clock, look }: AskStoreDeps): AskStore {
  const answers = lruCache<string, KeptAnswer>(MOST_ROWS, ({ count }, key) => weightOf(count, key));
  const closed = closedDays(clock);
  const ask = async <Params extends z.ZodObject, Row extends z.ZodObject>(
    stat: Stat<Params, Row>,
    params: z.input<Params>,
    keepMs?: number,
  ): Promise<readonly z.output<Row>[]> => {
    const key = `${stat.name} ${JSON.stringify(params)}`;
    const last = params["de"];
    const past = typeof last === "string" && closed.isOver(last);
    const mayChange = typeof last === "string" && !past;
    const holds = (askedAtMs: number) =>
      keepMs === undefined && past ? closed.holds(askedAtMs) : performance.now() - askedAtMs < (keepMs ?? LIVE_MS);
    const known = answers.get(key);
    if (known && holds(known.askedAtMs)) return known.rows as Promise<readonly z.output<Row>[]>;
    const run = () => runStat(read, { ...stat, sql: withSetFilters(stat.sql, params) }, params);
    const rows = (mayChange && look ? look().then(run) : run()).catch(explain);
    const kept: KeptAnswer = { askedAtMs: performance.now(), rows, count: 0 };
    answers.set(key, kept);
    rows.then(
      ({ length }) => answers.peek(key) === kept && answers.set(key, { ...kept, count: length }),
      () => answers.delete(key),
    );
    return rows;
  };
  return Object.assign(ask, {
    closed,
    sizes: lruCache<string, Sizes>(MOST_SIZES, ({ size }, key) => weightOf(size, key)),
    byDay: lruCache<string, { askedAtMs: number; devices: number }>(MOST_DAYS),
  });
}

/** Errors of a store that is up and overloaded. */
const OVERLOADED = new Set(["TOO_MANY_SIMULTANEOUS_QUERIES", "TIMEOUT_EXCEEDED", "MEMORY_LIMIT_EXCEEDED"]);

function explain(error: unknown): never {
  const away = isConnectionLoss(error) || (error instanceof Error && error.message === "Timeout error.");
  const overloaded = error instanceof ClickHouseError && OVERLOADED.has(error.type ?? "");
  if (!away && !overloaded) throw error;
  throw new Problem("unavailable", "Statistics are not available right now", { retryAfterSeconds: 2 });
}
