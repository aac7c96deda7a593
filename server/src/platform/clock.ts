/** Server time. Handed as a dependency, so that tests can stand at any moment; durations use `performance.now()`. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };
