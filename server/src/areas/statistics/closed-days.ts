import { dayOf } from "@millrace/units";
import type { Clock } from "../../platform/clock.ts";

/** A day is over once its last rows have been shipped. */
const SETTLED_MS = 60_000;
/**
 * How long an answer about days that are over is reused. Late rows change such days: this process's own take effect at
 * once (`reopen`), those that another process finds in its journal after a crash within this time.
 */
const KEEP_MS = 300_000;

/** Tells days that are over, and how long answers about them hold. */
export interface ClosedDays {
  /** Whether the day, and so every one before it, is over. */
  isOver(day: string): boolean;
  /** Whether an answer about such days that was asked for at this moment (of `performance.now`) still holds. */
  holds(askedAtMs: number): boolean;
  /** Called after late rows of such days: no earlier answer holds. */
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

/** An `at` among the first fields of the first row, in seconds. */
const FIRST_AT = /^[^\n]{0,200}?"at":"(?<seconds>\d+(?:\.\d+)?)"/;

/**
 * Whether the oldest row of a block is older than a moment. Rows are appended as they happen, so the first is the oldest
 * to within milliseconds. A row without a readable time counts as old.
 */
export function beginsBefore(rows: Buffer, moment: number): boolean {
  const seconds = FIRST_AT.exec(rows.subarray(0, 400).toString("latin1"))?.groups?.["seconds"];
  return seconds === undefined || Number(seconds) * 1000 < moment;
}
