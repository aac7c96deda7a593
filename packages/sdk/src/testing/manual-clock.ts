import type { Clock } from "../core/index.ts";

interface Timer {
  at: number;
  run: () => void;
}

/** A clock that stands still until a test moves it. */
export function manualClock(startAt = Date.UTC(2025, 0, 1)): Clock & { advance(byMs: number): void } {
  let ticks = 0;
  const timers = new Set<Timer>();
  return {
    now: () => startAt + ticks,
    ticks: () => ticks,
    after(delayMs, run) {
      const timer = { at: ticks + delayMs, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    advance(byMs) {
      const until = ticks + byMs;
      for (;;) {
        const next = [...timers].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
        if (!next) break;
        timers.delete(next);
        ticks = Math.max(ticks, next.at);
        next.run();
      }
      ticks = until;
    },
  };
}
