import { expect, test } from "vitest";
import { runDiskRounds } from "./disk-rounds.ts";

// Two rounds here; ten with `npm run bench faults`.
test.runIf(process.platform === "linux")(
  "no acknowledged event is lost or counted twice when the disk fills up and is freed while senders retry every 100 ms",
  async ({ skip }) => {
    const outcome = await runDiskRounds(2, () => undefined);
    if (outcome === null) return skip("only root can mount a disk");
    const { rounds, acknowledged, lost, counted } = outcome;
    expect(rounds).toHaveLength(2);
    expect(Math.max(...rounds.map(({ refused }) => refused))).toBeGreaterThan(0);
    expect(acknowledged).toBeGreaterThan(200);
    expect(lost).toBe(0);
    const all = acknowledged;
    expect(counted).toEqual({ rows: all, ids: all, hourly: all, daily: all, lifetime: all });
  },
  240_000,
);
