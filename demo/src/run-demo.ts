import { setTimeout as pause } from "node:timers/promises";
import { AN_HOUR_MS, connectClickHouse } from "../../server/src/platform/clickhouse/connect-clickhouse.ts";
import { fillHistory } from "./history/fill-history.ts";
import type { Lab } from "./lab/start-lab.ts";
import type { Begin, FromDemo } from "./messages.ts";
import { startTraffic } from "./traffic/start-traffic.ts";

const RETRY_HISTORY_MS = 5000;
const COUNTS_EVERY_MS = 10_000;

/** Runs traffic and history until `signal` aborts, and reports progress through `tell`. */
export async function runDemo(
  order: Begin,
  lab: Lab,
  tell: (message: FromDemo) => void,
  signal: AbortSignal,
): Promise<void> {
  const traffic = await startTraffic({
    exchangeUrl: order.exchangeUrl,
    deviceKey: order.deviceKey,
    seed: order.seed,
    sinceMs: order.sinceMs,
    appKeys: new Map(order.appKeys),
    postbacks: order.postbacks,
    pace: order.pace,
  });
  const counts = setInterval(
    () => tell({ kind: "counts", traffic: traffic.counts(), lab: lab.counts() }),
    COUNTS_EVERY_MS,
  );
  try {
    await writeHistory(order, tell, signal);
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  } finally {
    clearInterval(counts);
    await traffic.stop();
  }
}

/** Retries until history is complete, since the analytical store may be restarting. Retries count nothing twice. */
async function writeHistory(order: Begin, tell: (message: FromDemo) => void, signal: AbortSignal): Promise<void> {
  const clickhouse = connectClickHouse(order.clickhouseUrl, { requestTimeoutMs: AN_HOUR_MS });
  const startedAt = performance.now();
  try {
    for (let done = false; !done && !signal.aborted;) {
      done = await fillHistory({
        write: clickhouse.write,
        seed: order.seed,
        untilMs: order.sinceMs,
        days: order.historyDays,
        appIds: new Map(order.appIds),
        revenueSharePpm: order.revenueSharePpm,
        campaigns: order.campaigns,
        inhouse: order.inhouse,
        onProgress: (progress) => tell({ kind: "history", progress }),
        signal,
      }).then(
        () => true,
        async (error: unknown) => {
          const facts = { error: error instanceof Error ? error.message.slice(0, 500) : String(error) };
          tell({
            kind: "log",
            level: "warn",
            message: "The demo's history is waiting for the analytical store",
            facts,
          });
          await pause(RETRY_HISTORY_MS, undefined, { signal }).catch(() => {});
          return false;
        },
      );
    }
    if (signal.aborted) return;
    const seconds = Math.round(performance.now() - startedAt) / 1000;
    tell({ kind: "log", level: "info", message: "The demo's history is complete", facts: { seconds } });
  } finally {
    await clickhouse.close();
  }
}
