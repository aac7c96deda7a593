import { type DeductionReason, STATEMENT_CAUSES, type StatementCause } from "@millrace/contract";
import { divideRounded } from "@millrace/units";

export type ByCause = Record<StatementCause, bigint>;

/** What our events say of an app's ads of a partner. */
export interface Counted {
  impressions: bigint;
  grossMicros: bigint;
}

/** What a partner has stated of a day of an app, the first statement first. */
export interface Stated {
  impressions: bigint;
  /** At the statement's rate, and at that of the days when the ads were shown. */
  reportedMicros: bigint;
  shownMicros: bigint;
  /** Of a restatement: why it differs from the one before. */
  cause: DeductionReason | null;
}

/**
 * Why what a partner reports of a day is not what we booked, by cause; all causes add up to the difference.
 * - `time_zone`: what our events say of the partner's day, less what they say of the UTC day.
 * - `discrepancy`: the impressions that the partner counted more or less, at the average price of ours.
 * - `currency`: the settlement's rate against that of the days when the ads were shown.
 * - What a restatement changed has the cause that was given for it.
 * - The rest is unexplained.
 *
 * @param bookedMicros what the ledger has of the UTC day
 * @param utcDay and `ownDay`: what our events say of the UTC day, and of the partner's
 */
export function causesOf(
  bookedMicros: bigint,
  { utcDay, ownDay }: { utcDay: Counted; ownDay: Counted },
  stated: readonly [Stated, ...Stated[]],
): ByCause {
  const causes = Object.fromEntries(STATEMENT_CAUSES.map((cause) => [cause, 0n])) as ByCause;
  const [first] = stated;
  causes.time_zone += ownDay.grossMicros - utcDay.grossMicros;
  causes.discrepancy += countedLess(ownDay, first);
  causes.currency += first.reportedMicros - first.shownMicros;
  let before = first.reportedMicros;
  for (const { reportedMicros, cause } of stated.slice(1)) {
    causes[cause ?? "unexplained"] += reportedMicros - before;
    before = reportedMicros;
  }
  const explained = Object.values(causes).reduce((sum, micros) => sum + micros, 0n);
  causes.unexplained += before - bookedMicros - explained;
  return causes;
}

/** Impressions that only one side counted. Without any of ours there is no price of ours, and the partner's holds. */
function countedLess(own: Counted, { impressions, shownMicros }: Stated): bigint {
  if (own.impressions === 0n) return impressions === 0n ? 0n : shownMicros - own.grossMicros;
  return divideRounded((impressions - own.impressions) * own.grossMicros, own.impressions);
}
