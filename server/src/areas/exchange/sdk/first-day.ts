import { EARLIEST_DATE } from "@millrace/contract";
import { DAY_MS, dayOf } from "@millrace/units";

/**
 * The day that an installation says it first ran on, in days since 1970-01-01; 0 where it says none, or one that cannot be.
 * Its clock may be ahead: a zone's tomorrow is believed, no later day.
 */
export function firstDayOf(reported: string | undefined, nowMs: number): number {
  if (reported === undefined || reported < EARLIEST_DATE || reported > dayOf(nowMs + DAY_MS)) return 0;
  const ms = Date.parse(`${reported}T00:00:00Z`);
  // The 30th of February parses as a day of March.
  return Number.isFinite(ms) && dayOf(ms) === reported ? ms / DAY_MS : 0;
}
