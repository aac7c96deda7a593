import { DEDUCTION_REASON_LABELS, type DeductionReason } from "@millrace/contract";

/** The same causes, for a statement by which the partner owes more than before. */
const MORE_WORDS = {
  invalid_traffic: "Less traffic is invalid after all",
  discrepancy: "The partner counted more",
  time_zone: DEDUCTION_REASON_LABELS.time_zone,
  currency: DEDUCTION_REASON_LABELS.currency,
  clawback: "Given back by the partner",
} as const satisfies Record<DeductionReason, string>;

/** Why a statement differs from the earlier one, by this amount more or less. */
export const restatedWords = (cause: DeductionReason, by: number): string =>
  (by > 0 ? MORE_WORDS : DEDUCTION_REASON_LABELS)[cause];
