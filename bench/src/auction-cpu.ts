import { startChild } from "./child.ts";
import { setTimeout as sleep } from "node:timers/promises";
import { postsOf, runLoad } from "./load.ts";
import type { Measurement } from "./measurement.ts";
import { bidRequest } from "./partners.ts";
import { cpuSeconds } from "./process-cpu.ts";
import { median, percentile } from "./quantiles.ts";
import { inWorkplace } from "./workplace.ts";

const ADAPTERS = 40;
const ROUNDS = 9;
const AUCTIONS = 600;
const CONNECTIONS = 4;
const GOAL = 1.3;

interface Side {
  cpuMs: number;
  /** Auctions that a busy machine let run into their deadline. */
  unsold: number;
  latenciesMs: number[];
}

/** What an auction among 40 instant partners costs, against a program that does nothing but ask them. */
export const auctionCpu: Measurement = {
  name: "auction-cpu",
  title: "CPU of a 40-partner auction",
  run: (say) =>
    inWorkplace({ bidders: ADAPTERS }, async ({ platform, app, bidders }) => {
      const floor = await startChild<{ port: number }>("./floor-server.ts", [JSON.stringify(bidders.hello.ports)]);
      const body = bidRequest(app.uuid, "request-1");
      const request = postsOf("/openrtb2/auction", body);
      const askFloor = () => auctions(floor.pid, floor.hello.port, request);
      const askPlatform = () => auctions(platform.pid, platform.port, request);
      await warmUp(async () => (await askFloor()).unsold + (await askPlatform()).unsold, say);
      const rounds: { floor: Side; platform: Side }[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const sides = { floor: await askFloor(), platform: await askPlatform() };
        // What was not sold was not all asked either.
        if (sides.platform.unsold > AUCTIONS / 100) throw new Error("The machine is too busy: auctions did not sell");
        rounds.push(sides);
        say(
          `round ${round + 1}: floor ${sides.floor.cpuMs.toFixed(3)} ms, platform ${sides.platform.cpuMs.toFixed(3)} ms`,
        );
      }
      await floor.stop();
      const ratio = median(rounds.map(({ floor, platform }) => platform.cpuMs / floor.cpuMs));
      const cpu = (side: "floor" | "platform") => median(rounds.map((each) => each[side].cpuMs)).toFixed(2);
      const wall = (side: "floor" | "platform", share: number) =>
        percentile(
          rounds.flatMap((each) => each[side].latenciesMs),
          share,
        ).toFixed(1);
      return {
        figures: [
          {
            what: `CPU of an auction, ${ADAPTERS} partners answering at once, against the bare floor`,
            goal: `≤ ${GOAL} ×`,
            measured: `${ratio.toFixed(2)} × (${cpu("platform")} ms against ${cpu("floor")} ms)`,
            reached: ratio <= GOAL,
          },
        ],
        notes: [
          `${ROUNDS} rounds of ${AUCTIONS} auctions each for the floor and the platform in turn, after a warm-up; CPU of the one process, ` +
            `all its threads, as the scheduler counts it; the ratio is taken in each round and its median told. The same OpenRTB request ` +
            `of ${Buffer.byteLength(body)} bytes comes over ${CONNECTIONS} kept-alive connections to both. The stores run in processes ` +
            `of their own; the platform's journal is on.`,
          `The floor parses the request, posts it to all bidders over raw kept-alive connections, parses the answers and picks the ` +
            `highest. It checks nothing and records nothing.`,
          `Wall time of an answer: platform p50 ${wall("platform", 0.5)} ms, p99 ${wall("platform", 0.99)} ms; floor p50 ` +
            `${wall("floor", 0.5)} ms, p99 ${wall("floor", 0.99)} ms (bidders, load and platform share the machine's cores).`,
          "Beyond the floor, the platform checks the fields of the request and of each response, applies the app's rules, builds a body for each partner, " +
            "ranks the bids and judges them from the highest down, seals the beacons of the ad that it returns, and writes the journal's row. The " +
            "other bids get no verdict, except in the 1% of auctions whose trace is kept. Both processes have the young generation of `npm start`.",
        ],
      };
    }),
};

const WARM_RUNS = 8;
const MOST_WARM_RUNS = 20;

/** Until everything is compiled and every auction sells: on a busy machine the first connections may come too late. */
async function warmUp(run: () => Promise<number>, say: (line: string) => void): Promise<void> {
  for (let nth = 1; nth <= MOST_WARM_RUNS; nth++) {
    const unsold = await run();
    if (unsold === 0 && nth >= WARM_RUNS) return;
    if (unsold > 0) {
      say(`${unsold} auctions of the warm-up did not sell`);
      await sleep(2000);
    }
  }
  throw new Error("The machine is too busy: bids keep coming after the deadline");
}

async function auctions(pid: number, port: number, request: () => Buffer): Promise<Side> {
  const before = cpuSeconds(pid);
  let unsold = 0;
  const { latenciesMs, statuses } = await runLoad({
    port,
    connections: CONNECTIONS,
    total: AUCTIONS,
    request,
    onAnswer: (_, _status, body) => {
      if (!body().includes("price")) unsold++;
    },
  });
  if (statuses[200] !== AUCTIONS) throw new Error(`Answers with other statuses than 200: ${JSON.stringify(statuses)}`);
  return { cpuMs: ((cpuSeconds(pid) - before) * 1000) / AUCTIONS, latenciesMs, unsold };
}
