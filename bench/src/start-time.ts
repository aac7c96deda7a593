import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { postsOf, runLoad } from "./load.ts";
import type { Measurement } from "./measurement.ts";
import { bidRequest } from "./partners.ts";
import { startPlatform } from "./platform-process.ts";
import { median } from "./quantiles.ts";

const ROUNDS = 7;
const GOAL_MS = 5000;
const ANSWER_GOAL_MS = 2000;

/** From `start` to `ready`, and to the first answer, on data that exist. */
export const startTime: Measurement = {
  name: "start-time",
  title: "Start on existing data",
  async run(say) {
    const dataDir = await mkdtemp(join(tmpdir(), "millrace-bench-"));
    try {
      const first = await startPlatform({ dataDir });
      say(`first start of an empty folder: ${first.readyMs.toFixed(0)} ms`);
      await first.stop();
      const request = postsOf("/openrtb2/auction", bidRequest("6f9619ff-8b86-4d01-b42d-00cf4fc964ff", "request-1"));
      const ready: number[] = [];
      const answered: number[] = [];
      for (let round = 1; round <= ROUNDS; round++) {
        const from = performance.now();
        const platform = await startPlatform({ dataDir });
        const { statuses } = await runLoad({ port: platform.port, connections: 1, total: 1, request });
        if (statuses[200] !== 1) throw new Error(`The first answer was ${JSON.stringify(statuses)}`);
        answered.push(performance.now() - from);
        ready.push(platform.readyMs);
        say(`round ${round}: ready after ${platform.readyMs.toFixed(0)} ms`);
        // In turn in order and by kill -9: both leave data to start on.
        await (round % 2 === 0 ? platform.stop() : platform.kill());
      }
      const [readyMs, answeredMs] = [median(ready), median(answered)];
      return {
        figures: [
          {
            what: "Start to `ready` on existing data, children included",
            goal: `≤ ${GOAL_MS / 1000} s`,
            measured: `${(readyMs / 1000).toFixed(2)} s`,
            reached: readyMs <= GOAL_MS,
          },
          {
            what: "Start to the first answer of the exchange",
            goal: `≤ ${ANSWER_GOAL_MS / 1000} s`,
            measured: `${(answeredMs / 1000).toFixed(2)} s`,
            reached: answeredMs <= ANSWER_GOAL_MS,
          },
        ],
        notes: [
          `Medians of ${ROUNDS} starts with both embedded stores, without the demo; in turn after an orderly end and after a kill -9, whose ` +
            `children end on their own. The slowest took ${(Math.max(...ready) / 1000).toFixed(2)} s. The very first start, which makes the ` +
            `stores, took ${(first.readyMs / 1000).toFixed(2)} s.`,
        ],
      };
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};
