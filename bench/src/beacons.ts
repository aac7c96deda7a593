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
const BATCHED = { beacons: 200_000, connections: 8, perBatch: 500 };
const BATCHED_GOAL_PER_SECOND = 100_000;
const BARE_GOAL_RATIO = 1.3;

/** How many beacons a second are made durable, and whether what was acknowledged is what is counted. */
export const beacons: Measurement = {
  name: "beacons",
  title: "Durable beacons",
  run: (say) =>
    inWorkplace({ bidders: 1, env: { MILLRACE_SECRET: SECRET } }, async ({ platform, app, stores }) => {
      const load = await startChild("./beacon-load.ts", []);
      const bare = await startChild<{ port: number }>("./bare-beacon-server.ts", []);
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
      const batched: (BeaconRun & { cpuMicros: number })[] = [];
      const ratios: { time: number; cpu: number }[] = [];
      for (let round = 0; round <= ROUNDS; round++) {
        await order({ do: "make", beacons: 2 * FAST.beacons + PACED.beacons, secret: SECRET, appId: app.id });
        const floorFrom = cpuSeconds(bare.pid);
        const floor = await order<BeaconRun>({ do: "send", port: bare.hello.port, ...FAST });
        const floorCpuMicros = ((cpuSeconds(bare.pid) - floorFrom) * 1e6) / FAST.beacons;
        const [quick, calm] = [await run(FAST), await run(PACED)];
        await order({ do: "make", secret: SECRET, appId: app.id, ...BATCHED });
        const together = await run(BATCHED);
        say(
          `round ${round}${round === 0 ? " (warm-up)" : ""}: ${perSecond(quick).toFixed(0)}/s, ${quick.cpuMicros.toFixed(1)} µs of CPU each ` +
            `(bare: ${perSecond(floor).toFixed(0)}/s, ${floorCpuMicros.toFixed(1)} µs); ` +
            `in batches ${perSecond(together).toFixed(0)}/s, ${together.cpuMicros.toFixed(1)} µs; at ${PACED.perSecond}/s p50 ${calm.p50Ms.toFixed(1)}, p99 ${calm.p99Ms.toFixed(1)} ms`,
        );
        if (round === 0) continue;
        fast.push(quick);
        paced.push(calm);
        batched.push(together);
        ratios.push({ time: perSecond(floor) / perSecond(quick), cpu: quick.cpuMicros / floorCpuMicros });
      }
      await load.stop();
      await bare.stop();
      // Its end ships the journal.
      await platform.stop();
      const [counted] = await rowsOf<Counted>(stores.clickhouse, COUNTED);
      const rate = median(fast.map(perSecond));
      const ratio = median(ratios.map(({ time }) => time));
      const batchedRate = median(batched.map(perSecond));
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
            what: "Time of a beacon, against a bare node:http server that appends and syncs in groups",
            goal: `≤ ${BARE_GOAL_RATIO} x`,
            measured: `${ratio.toFixed(2)} x`,
            reached: ratio <= BARE_GOAL_RATIO,
          },
          {
            what: "Events in batches to durable rows",
            goal: `≥ ${BATCHED_GOAL_PER_SECOND}/s`,
            measured: `${Math.round(batchedRate)}/s`,
            reached: batchedRate >= BATCHED_GOAL_PER_SECOND,
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
          `Before each of its runs the same beacons go to the bare server, which checks nothing and remembers nothing: a line for each, ` +
            `one write and one fdatasync for all that came meanwhile, then the answers. The ratio is that of the rates, in each round, and ` +
            `its median is told; the ratio of CPU is ${median(ratios.map(({ cpu }) => cpu)).toFixed(2)} x.`,
          `In batches, ${BATCHED.perBatch} events to a \`POST /sdk/v1/events\` over ${BATCHED.connections} connections: an event costs the platform ` +
            `${median(batched.map(({ cpuMicros }) => cpuMicros)).toFixed(1)} µs of CPU.`,
          PROFILE,
          `Afterwards the rows of the event table, their distinct ids, those that are valid, and the impressions of the hourly rollup are ` +
            `counted in the store and held against the acknowledgements.`,
        ],
      };
    }),
};

/** The costs at the top of a profile of the main thread. */
const PROFILE =
  "The costs at the top of a profile (`BENCH_NODE_ARGS=--cpu-prof`), as shares of the main thread's time. A single beacon: writing the " +
  "answer to its socket 18 %, the garbage collector 13 %, the token's HMAC 5 %, its payload 3 %, the row's JSON 2 %; what is left is spread " +
  "over the HTTP server, the router's hooks and promises. An event in a batch: the garbage collector 15 %, the HMAC 12 %, the flood limits " +
  "7 %, the row's JSON 6 %, the token's payload 4 %.";

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
