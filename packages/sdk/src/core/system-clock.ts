import type { Clock } from "./seams.ts";

export const systemClock: Clock = {
  now: () => Date.now(),
  ticks: () => performance.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};
