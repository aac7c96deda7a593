import type { ClickHouse } from "../../../platform/clickhouse/connect-clickhouse.ts";
import type { Clock } from "../../../platform/clock.ts";
import type { Log } from "../../../platform/log.ts";
import { type Retention, retireRawRows } from "./retire-raw-rows.ts";

const EVERY_MS = 6 * 3_600_000;
const QUIET_MS = 3_600_000;

interface RetirementDeps {
  clickhouse: ClickHouse;
  clock: Clock;
  log: Log;
  days: Retention["days"];
}

/** Looks for months that are over when the platform starts, and four times a day; nobody waits for it. */
export function retirement({ clickhouse, clock, log, days }: RetirementDeps) {
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function run(): Promise<void> {
    try {
      const retired = await retireRawRows(clickhouse, clock.now(), { days, quietMs: QUIET_MS });
      for (const { table, month } of retired) log.info({ table, month }, "raw rows are kept no longer");
    } catch (error) {
      log.warn({ err: error }, "raw rows could not be retired; they are tried again later");
    }
  }
  const begin = () => {
    running ??= run().finally(() => (running = undefined));
  };
  return {
    start(): void {
      begin();
      timer = setInterval(begin, EVERY_MS).unref();
    },
    async stop(): Promise<void> {
      clearInterval(timer);
      await running;
    },
  };
}
