import { type DiskOutcome, runDiskRounds } from "./disk-rounds.ts";
import { VICTIMS, runFaultRounds } from "./fault-rounds.ts";
import type { Figure, Measurement } from "./measurement.ts";
import { median } from "./quantiles.ts";

const ROUNDS = 50;
const DISK_ROUNDS = 10;
const BACK_GOAL_MS = 10_000;

/** What kill -9 and a full disk cost. */
export const faults: Measurement = {
  name: "faults",
  title: "kill -9 and a full disk under load",
  async run(say) {
    const { rounds, acknowledged, lost, counted } = await runFaultRounds(ROUNDS, say);
    const fullDisk = await runDiskRounds(DISK_ROUNDS, say);
    const doubled = Object.values(counted).reduce((sum, each) => sum + Math.abs(each - counted.ids), 0);
    const slowest = Math.max(...rounds.map(({ backMs }) => backMs));
    const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
    const byVictim = VICTIMS.map((victim) => {
      const back = rounds.filter((round) => round.victim === victim).map(({ backMs }) => backMs);
      return `${victim} ${back.length} times, median ${seconds(median(back))}, longest ${seconds(Math.max(...back))}`;
    });
    return {
      figures: [
        {
          what: `Acknowledged events lost over ${ROUNDS} kill -9 rounds`,
          goal: "0",
          measured: `${lost} of ${acknowledged}`,
          reached: lost === 0,
        },
        {
          what: "Events counted twice, in the table or a rollup",
          goal: "0",
          measured: String(doubled),
          reached: doubled === 0,
        },
        {
          what: "Back at work after a kill",
          goal: `≤ ${seconds(BACK_GOAL_MS)}`,
          measured: `longest ${seconds(slowest)}`,
          reached: slowest <= BACK_GOAL_MS,
        },
        ...(fullDisk ? diskFigures(fullDisk) : []),
      ],
      notes: [
        `In turn the platform and each of its two children get a kill -9 at a random moment, while 16 devices send beacons and send again ` +
          `what was not acknowledged, as the SDK does. Back at work is a new process, ready by its own word, and a beacon that is ` +
          `acknowledged. At the end the stores are opened by themselves: each acknowledged auction must be in the event table, and the ` +
          `rows, their ids, the hourly and daily rollups and the lifetime's revenue must all give the same number.`,
        `${byVictim.join("; ")}.`,
        fullDisk
          ? `Full disk: the data of another platform is on a disk in memory, which is filled up and kept full until 1.5 s after the first refusal ` +
            `in each round, then freed, while 16 devices send beacons and send each again 100 ms after its refusal. Refused ` +
            `${fullDisk.rounds.reduce((sum, { refused }) => sum + refused, 0)} times; the same counting afterwards.`
          : "Full disk: not measured, since only root may mount a disk.",
      ],
    };
  },
};

function diskFigures({ rounds, acknowledged, lost, counted }: DiskOutcome): Figure[] {
  const kept = Object.values(counted);
  const isExact = lost === 0 && kept.every((count) => count === acknowledged);
  const slowest = Math.max(...rounds.map(({ backMs }) => backMs));
  return [
    {
      what: `Full disk, clients that retry every 100 ms, ${rounds.length} rounds: events acknowledged and stored`,
      goal: "the same number, 0 lost",
      measured: isExact
        ? `${acknowledged} and ${acknowledged}, 0 lost`
        : `${acknowledged} and ${kept.join(", ")}, ${lost} lost`,
      reached: isExact,
    },
    {
      what: "An event is acknowledged again after space is freed",
      goal: `≤ ${BACK_GOAL_MS / 1000} s`,
      measured: `longest ${(slowest / 1000).toFixed(1)} s`,
      reached: slowest <= BACK_GOAL_MS,
    },
  ];
}
