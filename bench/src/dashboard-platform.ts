import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DashboardData, openDashboardData } from "./dashboard-data.ts";
import { type PlatformProcess, startPlatform } from "./platform-process.ts";

/** The rows are of many months: retiring them would be measured with the calls. */
const KEEP_ALL = { RAW_AUCTIONS_DAYS: "36500", RAW_EVENTS_DAYS: "36500" };
const EVENTS = Number(process.env["BENCH_EVENTS"] ?? 100_000_000);

/** A platform over the generated traffic, a hundred million events without BENCH_EVENTS, for as long as `run` needs it. */
export async function withDashboardPlatform<T>(
  say: (line: string) => void,
  run: (data: DashboardData, platform: PlatformProcess) => Promise<T>,
): Promise<T> {
  const data = await openDashboardData(EVENTS, say);
  const dataDir = await mkdtemp(join(tmpdir(), "millrace-bench-"));
  try {
    const platform = await startPlatform({ dataDir, env: { ...data.stores.env, ...KEEP_ALL } });
    try {
      return await run(data, platform);
    } finally {
      await platform.stop();
    }
  } finally {
    await data.stores.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}
