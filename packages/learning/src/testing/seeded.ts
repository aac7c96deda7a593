import { uniform } from "../random.ts";

/** Seeded random numbers for simulations. */
export interface Random {
  /** From 0 up to 1. */
  next(): number;
  /** Of the standard normal distribution (Box-Muller). */
  normal(): number;
  /** Log-normal with mean 1 and this standard deviation of its logarithm. */
  factor(spread: number): number;
  pick<T>(values: readonly T[]): T;
}

export function seeded(seed: string): Random {
  let count = 0;
  const next = () => uniform(seed, String(count++));
  const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  return {
    next,
    normal,
    factor: (spread) => Math.exp(spread * normal() - spread ** 2 / 2),
    pick: (values) => values[Math.floor(next() * values.length)] as (typeof values)[number],
  };
}

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
