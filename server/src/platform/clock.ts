/** Server time, passed as a dependency so that tests can set it; durations use `performance.now()`. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };
