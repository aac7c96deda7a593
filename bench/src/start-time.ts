import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { postsOf, runLoad } from "./load.ts";
import type { Measurement } from "./measurement.ts";
import { bidRequest } from "./partners.ts";
import { type PlatformProcess, startPlatform } from "./platform-process.ts";
import { median } from "./quantiles.ts";
import { startStores } from "./stores.ts";

const ROUNDS = 7;
const GOAL_MS = 5000;
const ANSWER_GOAL_MS = 2000;

/** The time from the start to `ready` and to the first answer, on existing data. */
export const startTime: Measurement = {
  name: "start-time",
  title: "Start on existing data",
  async run(say) {
    const dataDir = await mkdtemp(join(tmpdir(), "millrace-bench-"));
    try {
      const first = await startPlatform({ dataDir });
      say(`first start in an empty folder: ${first.readyMs.toFixed(0)} ms`);
      await first.stop();
      const request = postsOf("/openrtb2/auction", bidRequest("6f9619ff-8b86-4d01-b42d-00cf4fc964ff", "request-1"));
      const ready: number[] = [];
      const stores: number[] = [];
      const answered: number[] = [];
      for (let round = 1; round <= ROUNDS; round++) {
        // Alternately an orderly stop and a kill -9.
        const end = (platform: PlatformProcess) => (round % 2 === 0 ? platform.stop() : platform.kill());
        await end(await startPlatform({ dataDir }));
        const from = performance.now();
        const platform = await startPlatform({ dataDir });
        const { statuses } = await runLoad({ port: platform.port, connections: 1, total: 1, request });
        if (statuses[200] !== 1) throw new Error(`The first answers had the statuses ${JSON.stringify(statuses)}`);
        answered.push(performance.now() - from);
        ready.push(platform.readyMs);
        await end(platform);
        const storesMs = await storesStartMs(dataDir);
        stores.push(storesMs);
        say(
          `round ${round}: ready after ${platform.readyMs.toFixed(0)} ms; the stores alone ${storesMs.toFixed(0)} ms`,
        );
      }
      const [readyMs, answeredMs, storesMs] = [median(ready), median(answered), median(stores)];
      const ratioOf = (times: readonly number[]) =>
        median(times.map((ms, round) => ms / (stores[round] ?? Number.NaN))).toFixed(2);
      return {
        figures: [
          {
            what: "Start to `ready` on existing data, children included",
            goal: `≤ ${GOAL_MS / 1000} s`,
            measured: `${(readyMs / 1000).toFixed(2)} s; ${ratioOf(ready)} × both stores alone (${(storesMs / 1000).toFixed(2)} s)`,
            reached: readyMs <= GOAL_MS,
          },
          {
            what: "Start to the first answer of the exchange",
            goal: `≤ ${ANSWER_GOAL_MS / 1000} s`,
            measured: `${(answeredMs / 1000).toFixed(2)} s; ${ratioOf(answered)} × both stores alone`,
            reached: answeredMs <= ANSWER_GOAL_MS,
          },
        ],
        notes: [
          `Medians of ${ROUNDS} starts with both embedded stores and without the demo, alternately after an orderly stop and after a kill -9. ` +
            `The slowest took ${(Math.max(...ready) / 1000).toFixed(2)} s. The first start, which creates the stores, took ` +
            `${(first.readyMs / 1000).toFixed(2)} s.`,
          "The baseline is measured after each start on the same data: a running process starts both stores in parallel with the same code, " +
            "until each has answered a query. The figure is the median of the rounds' ratios.",
        ],
      };
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};

/** How long both stores take to start and answer a query, without the platform. */
async function storesStartMs(dataDir: string): Promise<number> {
  const from = performance.now();
  const stores = await startStores(dataDir);
  await Promise.all([stores.pool.query("SELECT 1"), stores.clickhouse.ping()]);
  const tookMs = performance.now() - from;
  await stores.stop();
  return tookMs;
}
