import { z } from "zod";
import { NamedApp, Pager } from "./apps.ts";
import { defineCall } from "./define-call.ts";
import { ById, Day, Done, Micros, SearchedPage, Uuid, always } from "./fields.ts";
import { TEXTS } from "./texts.ts";

/** Why money is taken from a publisher's balance, in words. */
export const DEDUCTION_REASON_LABELS = {
  invalid_traffic: "Invalid traffic",
  discrepancy: "The partner counted less",
  time_zone: "Difference of time zones",
  currency: "Exchange rate",
  clawback: "Taken back by the partner",
} as const;
export type DeductionReason = keyof typeof DEDUCTION_REASON_LABELS;
export const DEDUCTION_REASONS = Object.keys(DEDUCTION_REASON_LABELS) as DeductionReason[];

export const DEDUCTION_STATES = ["noted", "disputed", "upheld", "reversed"] as const;
export type DeductionState = (typeof DEDUCTION_STATES)[number];

/** How long after the day of its note a deduction can be disputed. */
export const DISPUTE_DAYS = 14;
export const MAX_SAMPLE_AUCTIONS = 10;
const MOST_CHARACTERS = 2000;
const Words = z
  .string()
  .trim()
  .min(1, TEXTS.required)
  .max(MOST_CHARACTERS, `Use at most ${MOST_CHARACTERS} characters`);

/** What somebody wrote; the text is null once it is deleted with the person who wrote it. */
const Written = z.object({ text: z.string().nullable(), at: z.iso.datetime() });

export const Deduction = z.object({
  uuid: Uuid,
  noted_at: z.iso.datetime(),
  /** The UTC day of the traffic. */
  day: Day,
  reason: z.enum(DEDUCTION_REASONS),
  explanation: z.string(),
  app: NamedApp,
  /** The partner, or another provider; null for invalid traffic that the platform found itself. */
  provider: z.string().nullable(),
  provider_name: z.string().nullable(),
  amount: Micros,
  state: z.enum(DEDUCTION_STATES),
  /** The last UTC day on which it can be disputed. */
  dispute_until: Day,
  can_dispute: z.boolean(),
  /** Samples of the traffic. */
  auctions: z.array(Uuid),
  dispute: Written.nullable(),
  answer: Written.nullable(),
});
export type Deduction = z.infer<typeof Deduction>;

/** Open ones can still be disputed, or wait for an answer. */
export const DEDUCTION_FILTERS = ["all", "open", "closed"] as const;
export type DeductionFilter = (typeof DEDUCTION_FILTERS)[number];
export const DEDUCTIONS_PER_PAGE = 10;

export const deductions = defineCall({
  method: "GET",
  path: "/payment/deductions.json",
  summary: "List what was taken from the balance with its reason, newest first, and what is held back and given back",
  access: "payouts.read",
  query: SearchedPage.pick({ p: true }).extend({ state: z.enum(DEDUCTION_FILTERS).default("all") }),
  reply: z.object({
    /** The sums of all deductions that stand, and of all that were reversed. */
    held_back: Micros,
    given_back: Micros,
    deductions: z.array(Deduction),
    pager: Pager,
  }),
});

export const disputeDeduction = defineCall({
  method: "POST",
  path: "/payment/deductions/{id}/dispute",
  summary: "Dispute a deduction, once and until its last day; admins are told by mail",
  access: "deductions.dispute",
  params: ById,
  body: z.strictObject({ text: Words }),
  reply: Done,
});

export const AdminDeduction = Deduction.extend({
  /** The account's owner; null if the account is deleted. */
  owner: z.object({ uuid: Uuid, name: z.string(), email: z.string() }).nullable(),
});
export type AdminDeduction = z.infer<typeof AdminDeduction>;

export const ADMIN_DEDUCTION_FILTERS = ["all", ...DEDUCTION_STATES] as const;
export type AdminDeductionFilter = (typeof ADMIN_DEDUCTION_FILTERS)[number];

export const adminDeductions = defineCall({
  method: "GET",
  path: "/admin/deductions.json",
  summary: "Find deductions by their owner's e-mail or name, or by id: disputed ones first, the oldest of them on top",
  access: "admin",
  query: SearchedPage.extend({ state: z.enum(ADMIN_DEDUCTION_FILTERS).default("all") }),
  reply: z.object({ deductions: z.array(AdminDeduction), pager: Pager }),
});

export const deductible = defineCall({
  method: "GET",
  path: "/admin/users/{id}/deductible.json",
  summary:
    "List what the ledger holds as earned by a publisher on a day, by app and partner, less what was deducted, and who paid",
  access: "admin",
  params: ById,
  query: z.strictObject({ day: Day }),
  reply: z.object({
    apps: z.array(
      z.object({
        uuid: Uuid,
        name: z.string(),
        /** The most that can be deducted without naming a partner. */
        left: Micros,
        providers: z.array(z.object({ provider: z.string(), name: z.string(), left: Micros })),
        /** Who paid for the ads of campaigns in it, the most first: what is deducted stays with the platform until they are credited. */
        advertisers: z.array(z.object({ email: z.string(), paid: Micros })),
      }),
    ),
  }),
});

export const noteDeduction = defineCall({
  method: "POST",
  path: "/admin/users/{id}/deduction",
  summary: "Take money from a publisher's balance for a reason, once for each `key`; the owner is told by mail",
  access: "admin",
  params: ById,
  body: z
    .strictObject({
      key: Uuid,
      reason: z.enum(DEDUCTION_REASONS),
      day: Day,
      app: Uuid,
      provider: z
        .string()
        .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/)
        .nullable()
        .default(null),
      amount: Micros.min(1, "Deduct more than 0").max(1_000_000_000_000, "Deduct at most $1,000,000 at once"),
      explanation: z.string().trim().min(1, TEXTS.required).max(500),
      auctions: z.array(Uuid).max(MAX_SAMPLE_AUCTIONS, `Name at most ${MAX_SAMPLE_AUCTIONS} auctions`).default([]),
    })
    .check(
      always(
        ({ reason, provider }) => reason === "invalid_traffic" || (provider ?? null) !== null,
        "provider",
        "Choose the partner",
      ),
    ),
  reply: z.object({ uuid: Uuid, balance: Micros }),
});

export const VERDICTS = ["upheld", "reversed"] as const;
export type Verdict = (typeof VERDICTS)[number];

export const answerDeduction = defineCall({
  method: "POST",
  path: "/admin/deductions/{id}/answer",
  summary:
    "Uphold or reverse a disputed deduction, or reverse one that nobody disputes or that was upheld; the owner is told by mail",
  access: "admin",
  params: ById,
  body: z.strictObject({ verdict: z.enum(VERDICTS, "Choose to uphold or to reverse it"), answer: Words }),
  reply: Done,
});
