import type { Clock } from "../../platform/clock.ts";

/** Runs faster than the wall's clock, in step in all processes that have the same one. */
export interface FastClock {
  /** What it shows at a moment of the wall's clock. */
  startMs: number;
  atMs: number;
  factor: number;
}

export const clockOf = ({ startMs, atMs, factor }: FastClock): Clock => ({
  now: () => Math.floor(startMs + (Date.now() - atMs) * factor),
});
