import { seededHash } from "@millrace/auction";

/** A choice made at random, with its probability at that moment: what-if needs it, and it cannot be recovered later. */
export interface Drawn<T> {
  value: T;
  probability: number;
}

/** A number from 0 up to 1, the same for the same seed and name. Names must differ between choices that are to be independent. */
export const uniform = (seed: string, name: string): number => seededHash(seed, name) / 2 ** 32;

/** Draws one of the values by their probabilities, which sum to 1. */
export function drawn<T>(seed: string, name: string, choices: readonly Drawn<T>[]): Drawn<T> {
  let left = uniform(seed, name);
  const found = choices.find(({ probability }) => (left -= probability) < 0);
  // Rounding may leave a rest, which belongs to the last.
  return (found ?? choices.findLast(({ probability }) => probability > 0)) as Drawn<T>;
}
