import { availableParallelism } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import type { ClickHouseClient } from "@clickhouse/client";
import { NO_TIME_LIMIT } from "../../../server/src/platform/clickhouse/connect-clickhouse.ts";
import { conversionRows, outcomeRows } from "./outcome-rows.ts";
import { planDays } from "./plan-days.ts";
import { auctionRows, sessionRows } from "./row-sql.ts";
import type { PastCampaign, PastInhouse, RowRules } from "./row-sql.ts";

export interface HistoryOptions {
  /** A client with write access to the analytical store, which waits for long statements. */
  write: ClickHouseClient;
  seed: string;
  /** When history ends and live traffic begins, in epoch milliseconds. The same at every start. */
  untilMs: number;
  /** The number of days, including the one in which history ends. */
  days: number;
  /** The platform's id of each app of the catalogue, by slug. */
  appIds: ReadonlyMap<string, number>;
  /** The publisher's share of the price, in millionths. */
  revenueSharePpm: number;
  campaigns: readonly PastCampaign[];
  inhouse: readonly PastInhouse[];
  /** Called with the share that is written, from 0 to 1. */
  onProgress?: (share: number) => void;
  /** Stops after the current statement. */
  signal?: AbortSignal;
  /** The pause after each statement as a share of its duration. */
  rest?: number;
}

/** The marks of finished parts are in the same store as their rows, so both are lost or kept together. */
export const MARKS_TABLE = "demo_history";

const STEPS = [
  { name: "auctions", statement: auctionRows },
  { name: "sessions", statement: sessionRows },
  { name: "outcomes", statement: outcomeRows },
  { name: "conversions", statement: conversionRows },
] as const;

/** Days per set of statements: enough to be efficient, few enough that the dashboard visibly fills up. */
const DAYS_PER_PART = 5;

/** Statements run on one core: on the only one, serving needs its turns. */
const REST = availableParallelism() > 1 ? 0 : 0.2;

/**
 * Writes the missing days of history, newest first. If interrupted, call it again: finished parts are marked, and the others
 * are sent again with the same deduplication tokens, so nothing is counted twice.
 */
export async function fillHistory(options: HistoryOptions): Promise<void> {
  const { write, seed, untilMs, days, appIds, onProgress, signal, rest = REST } = options;
  const run = `${seed}-${untilMs}`;
  const isAborted = () => signal?.aborted === true;
  await write.command({ query: createMarks });
  const done = await finishedParts(write, run);
  for (let first = 0; first < days && !isAborted(); first += DAYS_PER_PART) {
    const last = Math.min(first + DAYS_PER_PART, days) - 1;
    const part = `${first}-${last}`;
    if (!done.has(part)) {
      const plan = planDays(seed, untilMs, { first, last }, appIds);
      const rules: RowRules = {
        seed,
        plan,
        until: untilMs / 1000,
        revenueSharePpm: options.revenueSharePpm,
        campaigns: options.campaigns,
        inhouse: options.inhouse,
      };
      for (const { name, statement } of STEPS) {
        const startedAt = performance.now();
        const query = statement(rules, `demo-history-${run}-${part}-${name}`);
        // A statement that was cut off would be repeated in vain: the next try takes as long.
        await write.command({ query, clickhouse_settings: NO_TIME_LIMIT });
        await pause((performance.now() - startedAt) * rest, undefined, { ref: false });
        if (isAborted()) return;
      }
      await write.insert({ table: MARKS_TABLE, values: [{ run, part }], format: "JSONEachRow" });
    }
    onProgress?.((last + 1) / days);
  }
}

const createMarks = `CREATE TABLE IF NOT EXISTS ${MARKS_TABLE} (run String, part String) ENGINE = MergeTree ORDER BY (run, part)`;

async function finishedParts(write: ClickHouseClient, run: string): Promise<Set<string>> {
  const found = await write.query({
    query: `SELECT DISTINCT part FROM ${MARKS_TABLE} WHERE run = {run:String}`,
    query_params: { run },
    format: "JSONEachRow",
  });
  return new Set((await found.json<{ part: string }>()).map(({ part }) => part));
}
