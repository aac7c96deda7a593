import { expect, test } from "vitest";
import { runFaultRounds } from "./fault-rounds.ts";

// Ten rounds here; fifty with `npm run bench faults`.
test.runIf(process.platform === "linux")(
  "no acknowledged event is lost or counted twice after a kill of any process, and all are back within 10 s",
  async () => {
    const { startMs, rounds, acknowledged, lost, counted } = await runFaultRounds(10, () => undefined);
    expect(rounds).toHaveLength(10);
    expect(acknowledged).toBeGreaterThan(500);
    expect(lost).toBe(0);
    const all = acknowledged;
    expect(counted).toEqual({ rows: all, ids: all, hourly: all, daily: all, lifetime: all });
    // Beside other tests even a first start, which takes a second alone, may take many.
    const mostMs = Math.max(10_000, 5 * startMs);
    expect(rounds.filter(({ backMs }) => backMs >= mostMs)).toEqual([]);
  },
  240_000,
);
