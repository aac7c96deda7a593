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
      const cpuRatio = median(ratios.map(({ cpu }) => cpu));
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
            measured: `${ratio.toFixed(2)} x; by CPU ${cpuRatio.toFixed(2)} x`,
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
          `Medians of ${ROUNDS} rounds after a warm-up. A round sends ${FAST.beacons} impressions over ${FAST.connections} kept-alive ` +
            `connections, each as soon as the previous one on its connection is answered. Then it sends ${PACED.beacons} at ` +
            `${PACED.perSecond}/s, and measures each answer from the moment its beacon was due. Every beacon has its own token, of its own ` +
            `auction and device, which the exchange's code signs and checks. An answer means that the event is in a synced journal file.`,
          `A beacon costs the platform ${median(fast.map(({ cpuMicros }) => cpuMicros)).toFixed(0)} µs of CPU, in all threads. The load, the ` +
            `platform and both stores share the machine, and the store inserts rows while beacons arrive.`,
          `Before each run of the platform, the bare server gets the same number of beacons. It reads the token from the address, writes a ` +
            `line as long as the platform's row, syncs all waiting lines at once, and sends the same answer. It checks and remembers nothing. ` +
            `The ratio is the median of the rounds, by rate and by the CPU of the process. The rate counts against the platform that its rows ` +
            `are inserted meanwhile; the CPU depends least on other work on the machine.`,
          `In batches, each \`POST /sdk/v1/events\` has ${BATCHED.perBatch} events, over ${BATCHED.connections} connections. An event costs the ` +
            `platform ${median(batched.map(({ cpuMicros }) => cpuMicros)).toFixed(1)} µs of CPU.`,
          PROFILE,
          `At the end, the store counts the rows of the event table, their distinct ids, the valid ones, and the impressions of the hourly ` +
            `rollup. All must equal the number of acknowledgements.`,
        ],
      };
    }),
};

/** From profiles of the main thread, one of single beacons and one of batches. */
const PROFILE =
  "A profile of the main thread (`BENCH_NODE_ARGS=--cpu-prof`) shows where the time goes. Single beacons: writing the answer to the socket " +
  "27 % (the system call alone 22 %); opening the token 10 %; routing, hooks, limits and the query 8 %; the journal's JSON, writes and syncs " +
  "7 %; garbage collection 6 %; flood limits, seen events and the row 6 %. Most of the rest is node's HTTP server and its streams, which the " +
  "bare server uses too. Batches: opening the token 20 %; garbage collection 14 %; flood limits, seen events and the row 10 %; the event's " +
  "JSON 6 %. AES-256-GCM costs 4 µs per token in `node:crypto`. ChaCha20-Poly1305 costs the same, and either costs 11 to 36 µs in JavaScript. " +
  "With the default young generation of 16 MB, garbage collection took 17 to 19 % of the main thread, and helper threads besides, because " +
  "each collection copies the hundreds of beacons that wait for a sync.";

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
