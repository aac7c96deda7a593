import { setTimeout as sleep } from "node:timers/promises";
import { postsOf, runLoad } from "./load.ts";
import type { Figure, Measurement } from "./measurement.ts";
import { bidRequest } from "./partners.ts";
import { median, percentile } from "./quantiles.ts";
import { inWorkplace } from "./workplace.ts";

const ADAPTERS = 40;
const ROUNDS = 5;
const TMAX_MS = 100;
const SUCCESSES = 12;
const BREAKER_PAUSE_MS = 5500;

/** Concurrent callers, waves per round, and the goal for the p99. */
const CASES = [
  { connections: 1, waves: 40, goalMs: 110 },
  { connections: 16, waves: 12, goalMs: 150 },
] as const;

/** The answer time of an auction in which no partner answers. */
export const silentPartners: Measurement = {
  name: "silent-partners",
  title: "Answer time with 40 silent partners",
  run: (say) =>
    inWorkplace({ bidders: ADAPTERS }, async ({ platform, app, demand: { bidders } }) => {
      const bodyOf = (id: string) => bidRequest(app.uuid, id);
      const silent = postsOf("/openrtb2/auction", bodyOf("silent-1"));
      const answered = postsOf("/openrtb2/auction", bodyOf("answered-1"));

      /** Sends one request per connection at once, and returns the latencies. */
      async function wave(request: () => Buffer, connections: number): Promise<number[]> {
        const order = { port: platform.port, connections, total: connections, request };
        return (await runLoad(order)).latenciesMs;
      }
      /** Successful requests in between keep the circuit breakers closed. One at a time, because the connections are new. */
      async function keepBreakersClosed(): Promise<void> {
        for (let nth = 0; nth < SUCCESSES; nth++) await wave(answered, 1);
      }
      const silences = async () => (await bidders.ask<{ silences: number }>({})).silences;

      let discarded = 0;
      /** A silent wave in which every partner received every request. */
      async function silentWave(connections: number): Promise<number[]> {
        for (let attempt = 0; attempt < 10; attempt++) {
          const before = await silences();
          const waits = await wave(silent, connections);
          const asked = (await silences()) - before;
          await keepBreakersClosed();
          if (asked === connections * ADAPTERS) return waits;
          discarded++;
          await sleep(BREAKER_PAUSE_MS);
          await keepBreakersClosed();
        }
        throw new Error("The machine is too busy: ten waves in a row did not reach all partners");
      }

      for (let warm = 0; warm < 200; warm++) await wave(answered, 4);
      const figures: Figure[] = [];
      const medians: string[] = [];
      for (const { connections, waves, goalMs } of CASES) {
        const rounds: number[][] = [];
        for (let round = 0; round < ROUNDS; round++) {
          const waits: number[] = [];
          for (let nth = 0; nth < waves; nth++) waits.push(...(await silentWave(connections)));
          rounds.push(waits);
          say(`${connections} connections, round ${round + 1}: p50 ${ms(waits, 0.5)}, p99 ${ms(waits, 0.99)} ms`);
        }
        const p99 = median(rounds.map((waits) => percentile(waits, 0.99)));
        medians.push(`${ms(rounds.flat(), 0.5)} ms with ${connections}`);
        figures.push({
          what: `Answer with ${ADAPTERS} silent partners at tmax ${TMAX_MS}, ${connections} connection${connections === 1 ? "" : "s"}`,
          goal: `p99 ≤ ${goalMs} ms`,
          measured: `p99 ${p99.toFixed(1)} ms`,
          reached: p99 <= goalMs,
        });
      }
      return {
        figures,
        notes: [
          `${ROUNDS} rounds of waves. All callers of a wave send at once, and the next wave starts when all have their answers. The figure is ` +
            `the median of the rounds' p99. Median latency: ${medians.join(", ")} connections.`,
          `The partners accept the request and never answer. Twenty such failures in a row would open their circuit breakers, so each silent ` +
            `wave is followed by requests that the same partners do answer, which are not counted. Waves in which a request did not reach all ` +
            `${ADAPTERS} partners are discarded: ${discarded} were.`,
          `Auctions end ${TMAX_MS - 94} ms before tmax, to leave time for the decision and the answer.`,
        ],
      };
    }),
};

const ms = (values: readonly number[], share: number) => percentile(values, share).toFixed(1);
