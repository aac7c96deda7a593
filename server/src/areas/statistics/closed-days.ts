import { dayOf } from "@millrace/units";
import type { Clock } from "../../platform/clock.ts";

/** A day is over when its last rows have been handed on. */
const SETTLED_MS = 60_000;
/**
 * For so long an answer about days that are over is given again. Such days change by rows that come late: by this
 * process's own at once (`reopen`); by another's, which has found them in its journal after a crash, within the time.
 */
const KEEP_MS = 300_000;

/** What is known of days that are over. */
export interface ClosedDays {
  /** Whether the day, and so every one before it, is over. */
  isOver(day: string): boolean;
  /** Whether an answer about such days that was asked for at this moment (of `performance.now`) still holds. */
  holds(askedAtMs: number): boolean;
  /** After rows of days that were over have come late: no earlier answer holds. */
  reopen(): void;
}

export function closedDays(clock: Clock): ClosedDays {
  let reopenedAtMs = Number.NEGATIVE_INFINITY;
  return {
    isOver: (day) => day < dayOf(clock.now() - SETTLED_MS),
    holds: (askedAtMs) => askedAtMs >= reopenedAtMs && performance.now() - askedAtMs < KEEP_MS,
    reopen: () => void (reopenedAtMs = performance.now()),
  };
}
