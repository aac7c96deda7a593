import { DEDUCTION_REASON_LABELS, type RestatedCause } from "@millrace/contract";

/** For a statement by which the partner owes less than before. */
const LESS_WORDS = {
  ...DEDUCTION_REASON_LABELS,
  mistake: "The earlier import was a mistake",
} as const satisfies Record<RestatedCause, string>;

/** The same causes, for one by which it owes more. */
const MORE_WORDS = {
  invalid_traffic: "Less traffic is invalid after all",
  discrepancy: "The partner counted more",
  time_zone: DEDUCTION_REASON_LABELS.time_zone,
  currency: DEDUCTION_REASON_LABELS.currency,
  clawback: "Given back by the partner",
  mistake: LESS_WORDS.mistake,
} as const satisfies Record<RestatedCause, string>;

/** Why a statement differs from the earlier one, by this amount more or less. */
export const restatedWords = (cause: RestatedCause, by: number): string => (by > 0 ? MORE_WORDS : LESS_WORDS)[cause];
