import { setTimeout as sleep } from "node:timers/promises";
import { postsOf, runLoad } from "./load.ts";
import type { Figure, Measurement } from "./measurement.ts";
import { bidRequest } from "./partners.ts";
import { median, percentile } from "./quantiles.ts";
import { inWorkplace } from "./workplace.ts";

const ADAPTERS = 40;
const ROUNDS = 5;
const TMAX_MS = 100;
const REASSURANCES = 12;
const BREAKER_PAUSE_MS = 5500;

/** How many callers wait at once, how many waves of them make a round, and what 99 of 100 may wait. */
const CASES = [
  { connections: 1, waves: 40, goalMs: 110 },
  { connections: 16, waves: 12, goalMs: 150 },
] as const;

/** When an answer is there although nobody answers us. */
export const silentPartners: Measurement = {
  name: "silent-partners",
  title: "Answer time with 40 silent partners",
  run: (say) =>
    inWorkplace({ bidders: ADAPTERS }, async ({ platform, app, bidders }) => {
      const bodyOf = (id: string) => bidRequest(app.uuid, id);
      const silent = postsOf("/openrtb2/auction", bodyOf("silent-1"));
      const answered = postsOf("/openrtb2/auction", bodyOf("answered-1"));

      /** So many callers at once; returns how long each waited. */
      async function wave(request: () => Buffer, connections: number): Promise<number[]> {
        const asked = { port: platform.port, connections, total: connections, request };
        return (await runLoad(asked)).latenciesMs;
      }
      /** Success in between, so that nobody is shut out; one at a time, as the connections are new. */
      async function reassure(): Promise<void> {
        for (let nth = 0; nth < REASSURANCES; nth++) await wave(answered, 1);
      }
      const silences = async () => (await bidders.ask<{ silences: number }>({})).silences;

      let spoilt = 0;
      /** A silent wave in which every partner was asked by every caller. */
      async function silentWave(connections: number): Promise<number[]> {
        for (let attempt = 0; attempt < 10; attempt++) {
          const before = await silences();
          const waits = await wave(silent, connections);
          const asked = (await silences()) - before;
          await reassure();
          if (asked === connections * ADAPTERS) return waits;
          spoilt++;
          await sleep(BREAKER_PAUSE_MS);
          await reassure();
        }
        throw new Error("The machine is too busy: not all partners were asked, ten times in a row");
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
          say(`${connections} at once, round ${round + 1}: p50 ${ms(waits, 0.5)}, p99 ${ms(waits, 0.99)} ms`);
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
          `${ROUNDS} rounds of waves of callers; all callers of a wave ask at once, the next wave starts when the last one has its ` +
            `answer. The p99 is that of each round, and the median of the rounds is told. Median wait: ${medians.join(", ")}.`,
          `The partners take the request and never answer it. Twenty such failures in a row would open their circuit breakers, and ` +
            `nobody would be asked any more; so each silent wave is followed by some (not counted) that the same partners do answer. ` +
            `Only waves in which each of the ${ADAPTERS} got each request, by its own count, are taken; ${spoilt} were not.`,
          `Auctions end ${TMAX_MS - 94} ms before tmax, to leave time for deciding and sending.`,
        ],
      };
    }),
};

const ms = (values: readonly number[], share: number) => percentile(values, share).toFixed(1);
