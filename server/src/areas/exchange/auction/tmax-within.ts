/** However long the round trip is, a partner is told that it has at least this share of the time that is left. */
const LEAST_SHARE = 0.5;

/**
 * The `tmax` of a call (OpenRTB 2.6, section 3.2.1), whole milliseconds and at least 1: what is left until the deadline, less the
 * round trip to the partner. Bidders take it for their own time, so one that is far away would answer just too late.
 */
export const tmaxWithin = (leftMs: number, transitMs: number): number =>
  Math.max(1, Math.floor(Math.max(leftMs - transitMs, leftMs * LEAST_SHARE)));
