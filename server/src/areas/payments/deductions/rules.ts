import { DISPUTE_DAYS, type DeductionState } from "@millrace/contract";
import { addDays, dayOf } from "@millrace/units";

/** The states that may follow each. */
const NEXT = {
  noted: ["disputed", "reversed"],
  disputed: ["upheld", "reversed"],
  // Whatever was answered: a partner may pay after all.
  upheld: ["reversed"],
  reversed: [],
} as const satisfies Record<DeductionState, readonly DeductionState[]>;

export const mayBecome = (state: DeductionState, next: DeductionState): boolean =>
  (NEXT[state] as readonly DeductionState[]).includes(next);

/** The last UTC day on which a deduction that is noted at a moment can be disputed. */
export const lastDayToDispute = (notedAt: Date): string => addDays(dayOf(notedAt.getTime()), DISPUTE_DAYS);

/** Whether a deduction can be disputed on a UTC day. */
export const canDispute = ({ state, until }: { state: DeductionState; until: string }, today: string): boolean =>
  mayBecome(state, "disputed") && today <= until;

/** What an app earned on a day from a provider, and what of it was deducted and not given back, in micro-dollars. */
export interface Earned {
  /** Empty for deductions that name no provider. */
  provider: string;
  earnedMicros: bigint;
  deductedMicros: bigint;
}

/**
 * What can still be deducted of an app's earnings of a day: of a provider, or of all of them together if none is named.
 * Deductions without a provider count against all together, so that no mixture takes more than was earned.
 */
export function leftOf(earned: readonly Earned[], provider: string | null): bigint {
  const left = (some: readonly Earned[]): bigint =>
    some.reduce((sum, { earnedMicros, deductedMicros }) => sum + earnedMicros - deductedMicros, 0n);
  const all = left(earned);
  const own = provider === null ? all : left(earned.filter((one) => one.provider === provider));
  const least = own < all ? own : all;
  return least > 0n ? least : 0n;
}
