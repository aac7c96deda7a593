import { postsOf, runLoad } from "./load.ts";
import type { Measurement } from "./measurement.ts";
import { bidRequest } from "./partners.ts";
import { percentile } from "./quantiles.ts";
import { inWorkplace } from "./workplace.ts";

const PARTNERS = 5;
const TMAX_MS = 100;
const WARM_UP = 2000;
const REQUESTS = 10_000;
const CONNECTIONS = 8;
const LEAST_SHARE = 0.999;
const MOSTLY = 0.95;

/** Whether one partner that behaves as badly as it can delays the answers, or takes away the others' bids. */
export const hostilePartner: Measurement = {
  name: "hostile-partner",
  title: "One of five partners is hostile",
  run: (say) =>
    inWorkplace({ bidders: PARTNERS, demand: "hostile" }, async ({ platform, app, demand }) => {
      const request = postsOf("/openrtb2/auction", bidRequest(app.uuid, "request-1"));
      const send = async (total: number) => {
        let sold = 0;
        const { latenciesMs, statuses } = await runLoad({
          port: platform.port,
          connections: CONNECTIONS,
          total,
          request,
          onAnswer: (_, _status, body) => {
            if (body().includes('"price"')) sold++;
          },
        });
        return { latenciesMs, sold, answered: statuses[200] ?? 0 };
      };
      await send(WARM_UP);
      const before = await demand.hostileCalls();
      const { latenciesMs, sold, answered } = await send(REQUESTS);
      const asked = (await demand.hostileCalls()) - before;
      if (asked < MOSTLY * REQUESTS)
        throw new Error(`The hostile partner was asked only ${asked} times: its breaker opened`);
      const [p50, p999] = [0.5, 0.999].map((share) => percentile(latenciesMs, share).toFixed(1));
      say(`p50 ${p50} ms, p99.9 ${p999} ms; the hostile partner was asked ${asked} times`);
      const inTime = latenciesMs.filter((took) => took <= TMAX_MS).length / REQUESTS;
      const figure = (what: string, share: number) => ({
        what,
        goal: `≥ ${100 * LEAST_SHARE}%`,
        measured: `${(100 * share).toFixed(2)}%`,
        reached: share >= LEAST_SHARE,
      });
      return {
        figures: [
          figure(`Answered within tmax (${TMAX_MS} ms) while one of ${PARTNERS} partners is hostile`, inTime),
          figure("Of the same requests, sold to one of the others", sold / answered),
        ],
        notes: [
          `${REQUESTS} requests over ${CONNECTIONS} connections, each the next as soon as it has its answer, after ${WARM_UP} to warm up: p50 ` +
            `${p50} ms, p99.9 ${p999} ms. ${answered} were answered with 200.`,
          `The hostile partner is silent, late, drips, pours without end, hangs up, fails, or breaks off, in turn. Every third time it says that it ` +
            `does not bid, so that its circuit breaker stays closed: it was asked ${asked} times.`,
        ],
      };
    }),
};
