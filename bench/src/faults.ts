import { type DiskOutcome, runDiskRounds } from "./disk-rounds.ts";
import { VICTIMS, runFaultRounds } from "./fault-rounds.ts";
import type { Figure, Measurement } from "./measurement.ts";
import { median } from "./quantiles.ts";

const ROUNDS = 50;
const DISK_ROUNDS = 10;
const BACK_GOAL_MS = 10_000;

/** Events lost or counted twice by kill -9 and a full disk. */
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
      return `${victim} ${back.length} kills, median ${seconds(median(back))}, longest ${seconds(Math.max(...back))}`;
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
          what: "Recovery after a kill",
          goal: `≤ ${seconds(BACK_GOAL_MS)}`,
          measured: `longest ${seconds(slowest)}`,
          reached: slowest <= BACK_GOAL_MS,
        },
        ...(fullDisk ? diskFigures(fullDisk) : []),
      ],
      notes: [
        `The platform and its two child processes are killed in turn with kill -9 at random moments, while 16 devices send beacons and ` +
          `retry what was not acknowledged, as the SDK does. Recovery ends when the new process is ready and a beacon is acknowledged. ` +
          `At the end, each acknowledged auction must be in the event table, and the rows, their distinct ids, the hourly and daily ` +
          `rollups and the lifetime revenue must all give the same number.`,
        `${byVictim.join("; ")}.`,
        fullDisk
          ? `Full disk: another platform has its data on a disk in memory. In each round the disk is filled, kept full until 1.5 s after ` +
            `the first refusal, and freed, while 16 devices send beacons and retry each 100 ms after its refusal. There were ` +
            `${fullDisk.rounds.reduce((sum, { refused }) => sum + refused, 0)} refusals. The events are counted in the same way.`
          : "Full disk: not measured, because only root can mount a disk.",
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
      what: "First acknowledged event after disk space is freed",
      goal: `≤ ${BACK_GOAL_MS / 1000} s`,
      measured: `longest ${(slowest / 1000).toFixed(1)} s`,
      reached: slowest <= BACK_GOAL_MS,
    },
  ];
}
