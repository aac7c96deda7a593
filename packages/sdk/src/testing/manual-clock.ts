import type { Clock } from "../core/index.ts";

interface Timer {
  at: number;
  run: () => void;
}

/** A clock that stands still until a test moves it. */
export function manualClock(startAt = Date.UTC(2025, 0, 1)): Clock & {
  advance(byMs: number): void;
  /** Sets the wall clock alone, as a user does. */
  set(nowMs: number): void;
} {
  let ticks = 0;
  let base = startAt;
  const timers = new Set<Timer>();
  return {
    now: () => base + ticks,
    ticks: () => ticks,
    after(delayMs, run) {
      const timer = { at: ticks + delayMs, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    set(nowMs) {
      base = nowMs - ticks;
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
