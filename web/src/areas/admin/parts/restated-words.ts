import { DEDUCTION_REASON_LABELS, type DeductionReason } from "@millrace/contract";

/** The same causes of a statement by which the partner owes more than by its earlier one. */
const MORE_WORDS = {
  invalid_traffic: "Less traffic is invalid after all",
  discrepancy: "The partner counted more",
  time_zone: DEDUCTION_REASON_LABELS.time_zone,
  currency: DEDUCTION_REASON_LABELS.currency,
  clawback: "Given back by the partner",
} as const satisfies Record<DeductionReason, string>;

/** Why a statement says something else than the earlier one, which is by so much more or less. */
export const restatedWords = (cause: DeductionReason, by: number): string =>
  (by > 0 ? MORE_WORDS : DEDUCTION_REASON_LABELS)[cause];
