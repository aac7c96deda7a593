import { type ClickHouseClient, ClickHouseError } from "@clickhouse/client";
import { dayOf } from "@millrace/units";
import { LRUCache } from "lru-cache";
import type { z } from "zod";
import { type Stat, runStat } from "../../platform/clickhouse/define-stat.ts";
import type { Clock } from "../../platform/clock.ts";
import { Problem } from "../../platform/http/problem.ts";
import { isConnectionLoss } from "../../platform/retry-on-connection-loss.ts";

/** Runs a statistics query; Problem `unavailable` while the store is away or overloaded, so that the page offers a retry. */
export type AskStore = <Params extends z.ZodObject, Row extends z.ZodObject>(
  stat: Stat<Params, Row>,
  params: z.input<Params>,
) => Promise<readonly z.output<Row>[]>;

/**
 * How long an answer is given again. Everybody who looks at a page asks the same every few seconds; numbers of today may
 * be this late and no later, those of past days hardly change any more.
 */
const LIVE_MS = 300;
const PAST_MS = 20_000;
const MOST_ANSWERS = 500;

/** Asks the store, once for all who ask the same at the same time. */
export function askStore({ read, clock }: { read: ClickHouseClient; clock: Clock }): AskStore {
  const answers = new LRUCache<string, { at: number; rows: Promise<readonly unknown[]> }>({ max: MOST_ANSWERS });
  return async (stat, params) => {
    const key = `${stat.name} ${JSON.stringify(params)}`;
    const known = answers.get(key);
    const now = performance.now();
    const past = typeof params["de"] === "string" && params["de"] < dayOf(clock.now());
    if (known && now - known.at < (past ? PAST_MS : LIVE_MS)) return known.rows as ReturnType<typeof run>;
    const run = () => runStat(read, stat, params).catch(explain);
    const rows = run();
    answers.set(key, { at: now, rows });
    rows.catch(() => answers.delete(key));
    return rows;
  };
}

/** Errors of a store that is there and has too much to do. */
const OVERLOADED = new Set(["TOO_MANY_SIMULTANEOUS_QUERIES", "TIMEOUT_EXCEEDED", "MEMORY_LIMIT_EXCEEDED"]);

function explain(error: unknown): never {
  const away = isConnectionLoss(error) || (error instanceof Error && error.message === "Timeout error.");
  const overloaded = error instanceof ClickHouseError && OVERLOADED.has(error.type ?? "");
  if (!away && !overloaded) throw error;
  throw new Problem("unavailable", "Statistics are not available right now", { retryAfterSeconds: 2 });
}
