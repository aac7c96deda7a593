import {
  DEDUCTION_REASON_LABELS,
  type PaidCause,
  type ReportedCause,
  STATEMENT_CAUSE_LABELS,
} from "@millrace/contract";

/** What a step is called, short enough to stand under a bar, and what it means. */
export interface CauseWords {
  short: string;
  label: string;
  about: string;
}

/** A step between two of the numbers, in micro-dollars. */
export interface Step extends CauseWords {
  cause: ReportedCause | PaidCause;
  amount: number;
  /** What it comes to between the totals as they are shown; 0 for less than a cent. */
  shown: number;
}

/** The steps from what our events say to what partners report. */
export const REPORTED_WORDS = {
  invalid_traffic: {
    short: "Invalid",
    label: STATEMENT_CAUSE_LABELS.invalid_traffic,
    about: "Partners found it later, and stated less",
  },
  discrepancy: {
    short: "Counting",
    label: "Partners counted otherwise",
    about: "Impressions that only one side counted, at our average price",
  },
  time_zone: {
    short: "Time zone",
    label: STATEMENT_CAUSE_LABELS.time_zone,
    about: "A partner's day begins and ends at other hours than ours",
  },
  currency: {
    short: "Rates",
    label: "Exchange rates",
    about: "They moved between the day of the ads and the settlement",
  },
  clawback: { short: "Clawback", label: STATEMENT_CAUSE_LABELS.clawback, about: "Stated before, and taken back since" },
  unexplained: {
    short: "Unexplained",
    label: STATEMENT_CAUSE_LABELS.unexplained,
    about: "No cause accounts for it; we ask the partners",
  },
  not_reported: {
    short: "No report",
    label: "Not reported yet",
    about: "Days of which a partner has not sent its statement",
  },
} as const satisfies Record<ReportedCause, CauseWords>;

const deducted = (reason: keyof typeof DEDUCTION_REASON_LABELS): CauseWords => ({
  short: "Deducted",
  label: `Deducted: ${DEDUCTION_REASON_LABELS[reason].toLowerCase()}`,
  about: "Each deduction has its reason, and can be disputed",
});

/** The steps from what partners report to what is paid. */
export const PAID_WORDS = {
  our_fee: { short: "Our fee", label: "Our fee", about: "What the platform keeps of the price of ads" },
  borne: {
    short: "On us",
    label: "Difference that is on us",
    about: "You are paid by our own count; a partner’s shortfall may be deducted later",
  },
  earlier_days: {
    short: "Earlier",
    label: "Learned of earlier days",
    about: "Events of earlier months that came late",
  },
  booked_later: {
    short: "Later",
    label: "Booked in a later month",
    about: "Events that came after the month was closed",
  },
  deducted_invalid_traffic: deducted("invalid_traffic"),
  deducted_discrepancy: deducted("discrepancy"),
  deducted_time_zone: deducted("time_zone"),
  deducted_currency: deducted("currency"),
  deducted_clawback: deducted("clawback"),
  given_back: { short: "Given back", label: "Given back", about: "Deductions that were reversed" },
  bonus: { short: "Bonus", label: "Bonuses", about: "Given by the platform" },
  correction: { short: "Correction", label: "Corrections", about: "Each has its reason in the finance report" },
  carried: {
    short: "From before",
    label: "Left from earlier months",
    about: "What earlier payments left on the balance",
  },
  taken_since: {
    short: "Since",
    label: "Taken before the payment",
    about: "Deductions, corrections and payments of earlier months after the month's end",
  },
  cents: { short: "Cents", label: "Parts of a cent", about: "They stay on the balance" },
  below_minimum: {
    short: "Minimum",
    label: "Below the minimum",
    about: "It stays on the balance, for a later month",
  },
  no_details: { short: "No details", label: "No payout details", about: "It is paid once we know where to send it" },
  drift: { short: "Held", label: "Held back", about: "The books and the events disagree; it is paid once they agree" },
  blocked: { short: "Held", label: "Held back", about: "The account is blocked" },
  paid_later: {
    short: "Paid later",
    label: "Paid with a later month",
    about: "It was held back, and is part of that month's payment",
  },
  month_runs: { short: "Not paid yet", label: "Not paid yet", about: "The month is not over" },
  not_yet_paid: { short: "Not paid yet", label: "Not paid yet", about: "It is paid on the payout day of its month" },
  on_its_way: { short: "On its way", label: "On its way", about: "Taken off the balance, and not yet at the bank" },
  returned: { short: "Returned", label: "Returned by the bank", about: "It is back on the balance" },
  unexplained: REPORTED_WORDS.unexplained,
} as const satisfies Record<PaidCause, CauseWords>;
