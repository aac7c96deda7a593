import { z } from "zod";
import { DEDUCTION_REASONS, DEDUCTION_REASON_LABELS } from "./deductions.ts";
import { defineCall } from "./define-call.ts";
import { Day, Micros } from "./fields.ts";
import { PAYMENT_BLOCKS } from "./payouts.ts";

/** Why partners' reports differ from our events. What no cause explains is shown as unexplained. */
export const STATEMENT_CAUSE_LABELS = { ...DEDUCTION_REASON_LABELS, unexplained: "Unexplained" } as const;
export type StatementCause = keyof typeof STATEMENT_CAUSE_LABELS;
export const STATEMENT_CAUSES = Object.keys(STATEMENT_CAUSE_LABELS) as StatementCause[];

export const REPORTED_CAUSES = [...STATEMENT_CAUSES, "not_reported"] as const;
export type ReportedCause = (typeof REPORTED_CAUSES)[number];

/** Why the paid amount differs from what partners report. */
export const PAID_CAUSES = [
  "our_fee",
  /** What partners report less or more is the platform's, until it is passed on as a deduction. */
  "borne",
  "earlier_days",
  "booked_later",
  ...DEDUCTION_REASONS.map((reason) => `deducted_${reason}` as const),
  "given_back",
  "bonus",
  "correction",
  "carried",
  "taken_since",
  "cents",
  ...PAYMENT_BLOCKS,
  /** Held back at first, for whatever reason, and part of the payment of a later month. */
  "paid_later",
  "month_runs",
  "not_yet_paid",
  "on_its_way",
  "returned",
  "unexplained",
] as const;
export type PaidCause = (typeof PAID_CAUSES)[number];

const stepsOf = <C extends string>(causes: readonly C[]) =>
  z.array(z.object({ cause: z.enum(causes), amount: Micros }));

/** `2026-10`. */
const Month = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, "Use a month like 2026-10");

/** Estimated and the first steps add up to reported, and that and the second steps to paid, to the micro-dollar. */
const ThreeNumbers = z.object({
  /** What our events say. */
  estimated: Micros,
  to_reported: stepsOf(REPORTED_CAUSES),
  /** What the partners' statements say; our own campaigns count as our events say. */
  reported: Micros,
  to_paid: stepsOf(PAID_CAUSES),
  paid: Micros,
});
export type ThreeNumbers = z.infer<typeof ThreeNumbers>;

export const REVENUE_GROUPS = ["partner", "app", "day"] as const;
export type RevenueGroup = (typeof REVENUE_GROUPS)[number];

const RevenueRow = ThreeNumbers.extend({
  /** A partner's or another provider's id, an app's UUID, or a UTC day. */
  id: z.string(),
  name: z.string(),
  /** True for an app that is deleted, and so has no page of its own any more; otherwise missing. */
  deleted: z.literal(true).optional(),
});
export type RevenueRow = z.infer<typeof RevenueRow>;

const MonthQuery = z.strictObject({
  /** The newest one with anything earned, if left out. */
  month: Month.optional(),
  by: z.enum(REVENUE_GROUPS).default("partner"),
});

const Months = {
  month: Month,
  /** Those with anything earned, the newest first. */
  months: z.array(Month),
  /** Partners who earned in the month, and how many of them have reported every day of it that is booked. */
  partners: z.int(),
  reported_partners: z.int(),
  /** What a row is. */
  by: z.enum(REVENUE_GROUPS),
  /** Of the month's traffic; the amounts of days, apps and partners add up to it. */
  rows: z.array(RevenueRow),
};

export const monthRevenue = defineCall({
  method: "GET",
  path: "/payment/revenue.json",
  summary: "Get a month's three numbers: estimated, reported by partners and paid, and the named steps between them",
  access: "payouts.read",
  query: MonthQuery,
  reply: ThreeNumbers.extend({
    ...Months,
    /** When the month is paid, or was. */
    paid_on: Day,
    /** The later month with the payment that covers this one; missing if there is none. */
    paid_with: Month.optional(),
  }),
});
export type MonthRevenue = z.infer<typeof monthRevenue.reply>;

export const adminRevenue = defineCall({
  method: "GET",
  path: "/admin/revenue.json",
  summary: "Get the three numbers of a month's traffic for all publishers, by partner, app or day, before our fee",
  access: "admin",
  query: MonthQuery.extend({
    /** Narrows days or apps down to one partner. */
    partner: z.string().max(64).optional(),
  }),
  reply: ThreeNumbers.extend(Months),
});
export type AdminRevenue = z.infer<typeof adminRevenue.reply>;
