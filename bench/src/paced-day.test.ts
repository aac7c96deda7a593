import { expect, test } from "vitest";
import { SCENARIOS, simulateDay } from "./paced-day.ts";

// Larger days and more seeds with `npm run bench pacing`.
test.each(SCENARIOS.flatMap((scenario, at) => [1, 3].map((processes) => ({ scenario, processes, seed: at + 1 }))))(
  "$scenario is paced by $processes controllers: with the traffic, in full and without long gaps",
  async ({ scenario, processes, seed }) => {
    const day = await simulateDay({ seed, scenario, processes, supply: 1.5, requests: 40_000 });
    expect(day.offPoints).toBeLessThanOrEqual(5);
    expect(day.delivered).toBeGreaterThanOrEqual(0.98);
    expect(day.delivered).toBeLessThanOrEqual(1);
    expect(day.gapMs).toBeLessThanOrEqual(15 * 60_000);
  },
);

test("where supply is ample, the bid is shaded, and the budget still spent", async () => {
  const day = await simulateDay({ seed: 9, scenario: "an ordinary day", processes: 1, supply: 12, requests: 40_000 });
  expect(day.paid).toBeLessThan(0.5);
  expect(day.offPoints).toBeLessThanOrEqual(5);
  expect(day.delivered).toBeGreaterThanOrEqual(0.98);
});
