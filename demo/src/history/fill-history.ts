import { setTimeout as pause } from "node:timers/promises";
import type { ClickHouseClient } from "@clickhouse/client";
import { planDays } from "./plan-days.ts";
import { auctionRows, outcomeRows, sessionRows } from "./row-sql.ts";
import type { RowRules } from "./row-sql.ts";

export interface HistoryOptions {
  /** Client with which the analytical store may be written. */
  write: ClickHouseClient;
  seed: string;
  /** History ends here, epoch milliseconds, and live traffic begins. The same at every start. */
  untilMs: number;
  /** Days of history, the one it ends in included. */
  days: number;
  /** The id in the platform of each app of the catalogue. */
  appIds: ReadonlyMap<string, number>;
  /** The publisher's share of the price, in millionths. */
  revenueSharePpm: number;
  /** 0 to 1; called with 1 when all is there. */
  onProgress?: (share: number) => void;
  /** Ends the work after the statement that is running. */
  signal?: AbortSignal;
  /** Time to rest after each statement, as a share of the time it took: others are being served meanwhile. */
  rest?: number;
}

/** Marks of finished parts stand beside the rows they speak of, so they are lost or kept with them. */
export const MARKS_TABLE = "demo_history";

const STEPS = [
  { name: "auctions", statement: auctionRows },
  { name: "sessions", statement: sessionRows },
  { name: "outcomes", statement: outcomeRows },
] as const;

/** Days written by one set of statements: enough to be quick about it, few enough that the dashboard fills as one looks on. */
const DAYS_AT_ONCE = 5;

/**
 * Writes the days of history that are not there yet, the newest first. Cut off at any moment, it is simply called again:
 * what is finished is marked, and what is not is sent with the same deduplication tokens, so nothing counts twice.
 */
export async function fillHistory(options: HistoryOptions): Promise<void> {
  const { write, seed, untilMs, days, appIds, onProgress, signal, rest = 0.2 } = options;
  const run = `${seed}-${untilMs}`;
  const cutOff = () => signal?.aborted === true;
  await write.command({ query: createMarks });
  const done = await finishedParts(write, run);
  for (let first = 0; first < days && !cutOff(); first += DAYS_AT_ONCE) {
    const last = Math.min(first + DAYS_AT_ONCE, days) - 1;
    const part = `${first}-${last}`;
    if (!done.has(part)) {
      const plan = planDays(seed, untilMs, { first, last }, appIds);
      const rules: RowRules = { seed, plan, until: untilMs / 1000, revenueSharePpm: options.revenueSharePpm };
      for (const { name, statement } of STEPS) {
        const startedAt = performance.now();
        await write.command({ query: statement(rules, `demo-history-${run}-${part}-${name}`) });
        await pause((performance.now() - startedAt) * rest, undefined, { ref: false });
        if (cutOff()) return;
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
