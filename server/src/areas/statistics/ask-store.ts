import { type ClickHouseClient, ClickHouseError } from "@clickhouse/client";
import type { z } from "zod";
import { type Stat, runStat } from "../../platform/clickhouse/define-stat.ts";
import { Problem } from "../../platform/http/problem.ts";
import { isConnectionLoss } from "../../platform/retry-on-connection-loss.ts";

/** Errors of a store that is there and has too much to do. */
const OVERLOADED = new Set(["TOO_MANY_SIMULTANEOUS_QUERIES", "TIMEOUT_EXCEEDED", "MEMORY_LIMIT_EXCEEDED"]);

/** Runs a statistics query; Problem `unavailable` while the store is away or overloaded, so that the page offers a retry. */
export async function askStore<Params extends z.ZodObject, Row extends z.ZodObject>(
  read: ClickHouseClient,
  stat: Stat<Params, Row>,
  params: z.input<Params>,
): Promise<z.output<Row>[]> {
  try {
    return await runStat(read, stat, params);
  } catch (error) {
    const away = isConnectionLoss(error) || (error instanceof Error && error.message === "Timeout error.");
    const overloaded = error instanceof ClickHouseError && OVERLOADED.has(error.type ?? "");
    if (!away && !overloaded) throw error;
    throw new Problem("unavailable", "Statistics are not available right now", { retryAfterSeconds: 2 });
  }
}
