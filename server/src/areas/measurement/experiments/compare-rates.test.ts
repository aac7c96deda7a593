import { expect, test } from "vitest";
import { compareRates } from "./compare-rates.ts";
import { rateInterval } from "./rate-interval.ts";

/** A seeded generator of numbers from 0 to 1 (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The hour in which a test of these rates calls a winner, looked at in each; null if it never does. */
function hourOfWinner(rates: readonly number[], { hours, seed }: { hours: number; seed: number }): number | null {
  const next = seeded(seed);
  const arms = rates.map((_, nth) => ({ id: String(nth), trials: 0, successes: 0 }));
  for (let hour = 0; hour < hours; hour++) {
    for (const [nth, arm] of arms.entries()) {
      const shown = 40 + Math.floor(next() * 40);
      arm.trials += shown;
      for (let each = 0; each < shown; each++) if (next() < (rates[nth] ?? 0)) arm.successes++;
    }
    if (compareRates(arms).isDecided) return hour;
  }
  return null;
}

test("of 1,000 tests of creatives that are alike, looked at hourly for ten days, at most 5% ever call a winner", () => {
  let winners = 0;
  for (let seed = 1; seed <= 1000; seed++) {
    const rate = [0.01, 0.02, 0.05, 0.3][seed % 4] ?? 0.02;
    const arms = seed % 5 === 0 ? [rate, rate, rate] : [rate, rate];
    if (hourOfWinner(arms, { hours: 240, seed }) !== null) winners++;
  }
  expect(winners).toBeLessThanOrEqual(50);
});

test("a creative that is twice as good is found, and it is the better one", () => {
  const hours = Array.from({ length: 40 }, (_, seed) => hourOfWinner([0.02, 0.04], { hours: 240, seed: seed + 5000 }));
  expect(hours.filter((hour) => hour !== null).length).toBeGreaterThanOrEqual(38);
  const { leading, isDecided } = compareRates([
    { id: "a", trials: 20_000, successes: 400 },
    { id: "b", trials: 20_000, successes: 800 },
  ]);
  expect(isDecided).toBe(true);
  expect(leading).toMatchObject({ id: "b", next: "a" });
  expect(leading?.difference.low).toBeGreaterThan(0);
  expect(leading?.difference.low).toBeLessThan(0.02);
  expect(leading?.difference.high).toBeGreaterThan(0.02);
});

test("the true rate leaves its interval in at most one of twenty tests, looked at after every trial", () => {
  let left = 0;
  for (let seed = 0; seed < 400; seed++) {
    const next = seeded(seed);
    const rate = 0.02 + 0.3 * next();
    let successes = 0;
    for (let trials = 1; trials <= 500; trials++) {
      if (next() < rate) successes++;
      const { low, high } = rateInterval({ trials, successes }, 0.05);
      if (rate >= low && rate <= high) continue;
      left++;
      break;
    }
  }
  expect(left).toBeLessThanOrEqual(20);
});

test("an interval holds the observed rate, narrows with more trials, and is everything without any", () => {
  expect(rateInterval({ trials: 0, successes: 0 }, 0.05)).toEqual({ low: 0, high: 1 });
  let width = 1;
  for (const trials of [10, 100, 1000, 10_000, 1_000_000]) {
    const { low, high } = rateInterval({ trials, successes: trials / 10 }, 0.05);
    expect(low).toBeLessThan(0.1);
    expect(high).toBeGreaterThan(0.1);
    expect(high - low).toBeLessThan(width);
    width = high - low;
  }
  expect(width).toBeLessThan(0.005);
  expect(rateInterval({ trials: 100, successes: 0 }, 0.05).low).toBe(0);
  expect(rateInterval({ trials: 100, successes: 100 }, 0.05).high).toBe(1);
});

test("there is no winner without trials of every creative, and none of a creative alone", () => {
  const good = { id: "a", trials: 10_000, successes: 9000 };
  const bad = { id: "b", trials: 10_000, successes: 10 };
  expect(compareRates([good]).leading).toBeNull();
  expect(compareRates([]).isDecided).toBe(false);
  expect(compareRates([good, bad, { id: "c", trials: 0, successes: 0 }]).isDecided).toBe(false);
  expect(compareRates([good, bad]).isDecided).toBe(true);
});
