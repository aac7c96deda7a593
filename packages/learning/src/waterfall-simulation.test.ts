import { describe, expect, test } from "vitest";
import {
  fixedOrder,
  historicalMean,
  learning,
  type Strategy,
  walk,
  type Walk,
  waterfallWorld,
} from "./testing/simulated-waterfall.ts";

const SEEDS = ["one", "two", "three"];
const REQUESTS = 20_000;
const EXPLORATION = 0.1;

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
/** The share of the oracle's revenue in a range of requests. */
const shareOf = ({ revenue, oracle }: Walk, from = 0, to = revenue.length) =>
  sum(revenue.slice(from, to)) / sum(oracle.slice(from, to));
const play = (seed: string, strategy: Strategy, halvesAt?: number) =>
  walk(waterfallWorld(seed), strategy, REQUESTS, halvesAt);

describe.each(SEEDS)("a waterfall of six line items, with seed %s,", (seed) => {
  const learned = play(seed, learning(EXPLORATION));
  const halved = play(seed, learning(EXPLORATION), 10_000);

  test("earns at least 97% of what the true prices would, over 20,000 requests", () => {
    expect(shareOf(learned)).toBeGreaterThanOrEqual(0.97);
  });

  test("loses less and less to the true order", () => {
    const lostIn = (from: number, to: number) => 1 - shareOf(learned, from, to);
    expect(lostIn(15_000, 20_000)).toBeLessThan(lostIn(0, 1_000) / 2);
    expect(lostIn(15_000, 20_000)).toBeLessThan(0.015);
  });

  test("has a useful order from the first request", () => {
    expect(shareOf(learned, 0, 500)).toBeGreaterThan(0.85);
  });

  test("earns more than the stated order and, where a price halves, than the mean of all history", () => {
    expect(shareOf(learned)).toBeGreaterThan(shareOf(play(seed, fixedOrder())));
    expect(shareOf(halved, 10_000)).toBeGreaterThan(shareOf(play(seed, historicalMean(), 10_000), 10_000));
    expect(shareOf(halved, 10_000)).toBeGreaterThan(shareOf(play(seed, fixedOrder(), 10_000), 10_000));
  });

  test("has recovered 2,000 requests after a price has halved", () => {
    expect(shareOf(halved, 12_000, 14_000)).toBeGreaterThanOrEqual(0.97);
  });
});
