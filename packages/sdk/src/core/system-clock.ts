import type { Clock } from "./host.ts";

export const systemClock: Clock = {
  now: () => Date.now(),
  ticks: () => performance.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};
