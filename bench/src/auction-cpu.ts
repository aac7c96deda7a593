import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { startChild } from "./child.ts";
import type { DemandKind } from "./demand.ts";
import { postsOf, runLoad } from "./load.ts";
import type { Figure, Measurement } from "./measurement.ts";
import { bidRequest } from "./partners.ts";
import { cpuSeconds } from "./process-cpu.ts";
import { median, percentile } from "./quantiles.ts";
import { inWorkplace } from "./workplace.ts";

const PARTNERS = 40;
const ROUNDS = 9;
const AUCTIONS = 600;
const CONNECTIONS = 4;

interface Side {
  cpuMs: number;
  /** Auctions that a busy machine let run into their deadline. */
  unsold: number;
  latenciesMs: number[];
}
interface Round {
  floor: Side;
  platform: Side;
  /** The floor over TLS, where the platform uses it. */
  tlsFloor: Side | null;
}

/** What is measured against the same floor, which speaks plain HTTP. */
const KINDS = [
  {
    demand: "plain",
    what: `CPU of an auction, ${PARTNERS} partners answering at once, against the bare floor`,
    most: 1.3,
  },
  { demand: "tls", what: "The same over TLS, against the floor without it", most: 2 },
  { demand: "named", what: "The same with the named partners' adapters, gzip where they need it", most: 2 },
] as const;

/** What an auction among 40 instant partners costs, against a program that does nothing but ask them. */
export const auctionCpu: Measurement = {
  name: "auction-cpu",
  title: "CPU of a 40-partner auction",
  async run(say) {
    const figures: Figure[] = [];
    const walls: string[] = [];
    for (const { demand, what, most } of KINDS) {
      say(what);
      const { rounds, asked } = await measure(demand, say);
      const ratio = median(rounds.map(({ floor, platform }) => platform.cpuMs / floor.cpuMs));
      const cpu = (side: Side["cpuMs"][]) => median(side).toFixed(2);
      const platform = cpu(rounds.map((each) => each.platform.cpuMs));
      const floor = cpu(rounds.map((each) => each.floor.cpuMs));
      const overTls = rounds.flatMap(({ tlsFloor }) => (tlsFloor ? [tlsFloor.cpuMs] : []));
      const tls = overTls.length === 0 ? "" : `; a floor over TLS takes ${cpu(overTls)} ms`;
      figures.push({
        what,
        goal: `≤ ${most} ×`,
        measured: `${ratio.toFixed(2)} × (${platform} ms against ${floor} ms${tls})`,
        reached: ratio <= most,
      });
      const wall = (side: "floor" | "platform", share: number) =>
        percentile(
          rounds.flatMap((each) => each[side].latenciesMs),
          share,
        ).toFixed(1);
      walls.push(
        `${demand}: ${asked} partners asked; platform p50 ${wall("platform", 0.5)} ms, p99 ${wall("platform", 0.99)} ms; ` +
          `floor p50 ${wall("floor", 0.5)} ms, p99 ${wall("floor", 0.99)} ms`,
      );
    }
    return {
      figures,
      notes: [
        ...NOTES,
        `Wall time of an answer (bidders, load and platform share the machine's cores). ${walls.join(". ")}.`,
      ],
    };
  },
};

const NOTES = [
  `${ROUNDS} rounds of ${AUCTIONS} auctions each for the floor and the platform in turn, after a warm-up; CPU of the one process, ` +
    `all its threads, as the scheduler counts it; the ratio is taken in each round and its median told. The same OpenRTB request ` +
    `of ${Buffer.byteLength(bidRequest(randomUUID(), "request-1"))} bytes comes over ${CONNECTIONS} kept-alive connections to both. ` +
    `The stores run in processes of their own; the platform's journal is on.`,
  `The floor parses the request, posts it to all bidders over raw kept-alive connections, parses the answers and picks the ` +
    `highest. It checks nothing and records nothing.`,
  "Beyond the floor, the platform checks the fields of the request and of each response, applies the app's rules, builds a body for each partner, " +
    "ranks the bids and judges them from the highest down, seals the beacons of the ad that it returns, and writes the journal's row. The " +
    "other bids get no verdict, except in the 1% of auctions whose trace is kept. Both processes run with the heap options of `npm start`.",
  "Over TLS the connections are kept alive as well, so that no handshakes are counted. The named partners answer in one process, each as its " +
    "own fixtures do: with other paths, headers and bodies, and prices in other currencies only where its protocol says so.",
];

function measure(demand: DemandKind, say: (line: string) => void): Promise<{ rounds: Round[]; asked: number }> {
  return inWorkplace({ bidders: PARTNERS, demand }, async ({ platform, app, demand: { bidders, overTls, asked } }) => {
    const startFloor = (ports: readonly number[], ca: string) =>
      startChild<{ port: number }>("./floor-server.ts", [JSON.stringify(ports), ca]);
    const floor = await startFloor(bidders.hello.ports, "");
    const tlsFloor = overTls && (await startFloor(overTls.ports, overTls.certificateFile));
    const request = postsOf("/openrtb2/auction", bidRequest(app.uuid, "request-1"));
    const ask = async (): Promise<Round> => ({
      floor: await auctions(floor.pid, floor.hello.port, request),
      platform: await auctions(platform.pid, platform.port, request),
      tlsFloor: tlsFloor && (await auctions(tlsFloor.pid, tlsFloor.hello.port, request)),
    });
    await warmUp(async () => {
      const sides = await ask();
      return sides.floor.unsold + sides.platform.unsold;
    }, say);
    const rounds: Round[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const sides = await ask();
      // What was not sold was not all asked either.
      if (sides.platform.unsold > AUCTIONS / 100) throw new Error("The machine is too busy: auctions did not sell");
      rounds.push(sides);
      say(
        `round ${round + 1}: floor ${sides.floor.cpuMs.toFixed(3)} ms, platform ${sides.platform.cpuMs.toFixed(3)} ms`,
      );
    }
    await Promise.all([floor.stop(), tlsFloor?.stop()]);
    return { rounds, asked: await asked() };
  });
}

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
