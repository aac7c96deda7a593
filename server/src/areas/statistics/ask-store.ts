import { type ClickHouseClient, ClickHouseError } from "@clickhouse/client";
import { dayOf } from "@millrace/units";
import { LRUCache } from "lru-cache";
import type { z } from "zod";
import { type Stat, runStat } from "../../platform/clickhouse/define-stat.ts";
import type { Clock } from "../../platform/clock.ts";
import { Problem } from "../../platform/http/problem.ts";
import { isConnectionLoss } from "../../platform/retry-on-connection-loss.ts";
import type { Plan } from "./sampling.ts";

/**
 * Runs a statistics query; Problem `unavailable` while the store is away or overloaded, so that the page offers a retry.
 * `keepMs`: how long the answer may be given again, where not as long as other answers about these days.
 */
export interface AskStore {
  <Params extends z.ZodObject, Row extends z.ZodObject>(
    stat: Stat<Params, Row>,
    params: z.input<Params>,
    keepMs?: number,
  ): Promise<readonly z.output<Row>[]>;
  /** After rows of earlier days than today have come late: no answer about the past is given again. */
  forgetPast(): void;
  /** How groups of devices were counted when they were last asked for; a hint, which every count is held against. */
  plans: LRUCache<string, Plan>;
}

/**
 * How long an answer is given again. Everybody who looks at a page asks the same every few seconds; numbers of today may
 * be this late and no later. Those of past days change by rows that come late: by this process's own at once
 * (`forgetPast`), by others' within the time.
 */
const LIVE_MS = 300;
const PAST_MS = 60_000;
/** A day is past when its last rows have been handed on. */
const SETTLED_MS = 60_000;
const MOST_ANSWERS = 2000;
const MOST_PLANS = 2000;

/** Asks the store, once for all who ask the same at the same time. */
export function askStore({ read, clock }: { read: ClickHouseClient; clock: Clock }): AskStore {
  const answers = new LRUCache<string, { at: number; rows: Promise<readonly unknown[]> }>({ max: MOST_ANSWERS });
  let pastSince = Number.NEGATIVE_INFINITY;
  const ask = async <Params extends z.ZodObject, Row extends z.ZodObject>(
    stat: Stat<Params, Row>,
    params: z.input<Params>,
    keepMs?: number,
  ): Promise<readonly z.output<Row>[]> => {
    const key = `${stat.name} ${JSON.stringify(params)}`;
    const known = answers.get(key);
    const now = performance.now();
    const past = typeof params["de"] === "string" && params["de"] < dayOf(clock.now() - SETTLED_MS);
    const longMs = known && known.at >= pastSince ? PAST_MS : 0;
    if (known && now - known.at < (keepMs ?? (past ? longMs : LIVE_MS)))
      return known.rows as Promise<readonly z.output<Row>[]>;
    const rows = runStat(read, stat, params).catch(explain);
    answers.set(key, { at: now, rows });
    rows.catch(() => answers.delete(key));
    return rows;
  };
  const forgetPast = () => void (pastSince = performance.now());
  return Object.assign(ask, { forgetPast, plans: new LRUCache<string, Plan>({ max: MOST_PLANS }) });
}

/** Errors of a store that is there and has too much to do. */
const OVERLOADED = new Set(["TOO_MANY_SIMULTANEOUS_QUERIES", "TIMEOUT_EXCEEDED", "MEMORY_LIMIT_EXCEEDED"]);

function explain(error: unknown): never {
  const away = isConnectionLoss(error) || (error instanceof Error && error.message === "Timeout error.");
  const overloaded = error instanceof ClickHouseError && OVERLOADED.has(error.type ?? "");
  if (!away && !overloaded) throw error;
  throw new Problem("unavailable", "Statistics are not available right now", { retryAfterSeconds: 2 });
}
