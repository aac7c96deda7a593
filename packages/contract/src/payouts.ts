import { z } from "zod";
import { Pager } from "./apps.ts";
import { defineCall } from "./define-call.ts";
import { ById, Day, Done, Micros, SearchedPage, Uuid } from "./fields.ts";
import { TEXTS } from "./texts.ts";

/** Under way, paid, or refused by the provider or the bank. */
export const WITHDRAWAL_STATUSES = ["opened", "accepted", "rejected"] as const;
export type WithdrawalStatus = (typeof WITHDRAWAL_STATUSES)[number];
export const WITHDRAWAL_TEXTS = {
  accepted: "Performed",
  opened: "Under consideration",
  rejected: "Rejected",
} as const satisfies Record<WithdrawalStatus, string>;

/** The most recent rows shown above the link to the full history. */
export const HISTORY_PREVIEW_ROWS = 3;

/** `2026-10`. */
const Month = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/);

export const Cashout = z.object({
  id: Uuid,
  /** When it was taken off the balance. */
  date: z.iso.datetime(),
  /** The month that it pays. */
  month: Month,
  amount: Micros,
  /** Such as `Bank transfer ending 4417`. */
  method: z.string(),
  status: z.enum(WITHDRAWAL_STATUSES),
  /** When it got this status. */
  changed_at: z.iso.datetime(),
  /** Why it was rejected; empty otherwise. */
  reason: z.string(),
});
export type Cashout = z.infer<typeof Cashout>;

export const cashoutsHistory = defineCall({
  method: "GET",
  path: "/payment/cashouts_history.json",
  summary: "List the account's payouts, newest first, 10 per page",
  access: "payouts.read",
  query: SearchedPage.pick({ p: true }),
  reply: z.object({ cashouts: z.array(Cashout), page_cnt: z.int() }),
});

export const payoutStatement = defineCall({
  method: "GET",
  path: "/payment/cashouts/{id}/statement",
  summary: "Download the statement of a payment that was sent as PDF: its period, sums, fee, method and reference",
  access: "payouts.read",
  params: ById,
  reply: z.string(),
  replyTypes: ["application/pdf"],
});

/** Why an account is not paid: too little, no way to pay it, books and events that disagree, a blocked owner. */
export const PAYMENT_BLOCKS = ["below_minimum", "no_details", "drift", "blocked"] as const;
export type PaymentBlock = (typeof PAYMENT_BLOCKS)[number];

export const nextPayment = defineCall({
  method: "GET",
  path: "/payment/next.json",
  summary: "Get the balance, what the next payment will be and when, and what stands against it",
  access: "payouts.read",
  reply: z.object({
    /** What is booked up to the last day that is over, less what was paid out. */
    balance: Micros,
    /** The last UTC day that is booked; null before the first. */
    booked_until: Day.nullable(),
    /** What is taken off the balance, and neither paid nor held back. */
    on_its_way: Micros,
    /** What is taken off the balance and not ordered, since `next.blocks` hold it back; left out if nothing is. */
    held_back: Micros.optional(),
    /** All that was ever paid. */
    paid: Micros,
    provider: z.enum(["sandbox", "tipalti"]),
    /** Such as `Bank transfer ending 4417`; null until the provider can pay. */
    method: z.string().nullable(),
    minimum: Micros,
    next: z.object({
      month: Month,
      /** The day on which the month's payments are made; it may be over for a payment that is held. */
      on: Day,
      /** So far, if the month is not over. */
      amount: Micros,
      month_is_over: z.boolean(),
      /** None if it will be paid. Not judged while more can be earned: `below_minimum` of a month that is not over. */
      blocks: z.array(z.enum(PAYMENT_BLOCKS)),
    }),
  }),
});
export type NextPayment = z.infer<typeof nextPayment.reply>;

export const registerPayee = defineCall({
  method: "POST",
  path: "/payment/register_to_tipalti",
  summary: "Register the account with the payout provider, and get a signed address of the provider's frame",
  access: "payoutDetails.manage",
  reply: z.object({
    url: z.url(),
    /** Only messages from this origin's frame are accepted. */
    origin: z.url(),
  }),
});

const Ticket = z.strictObject({ ticket: z.string().max(200) });

export const sandboxFrame = defineCall({
  method: "GET",
  path: "/payout_frame/{ticket}",
  summary: "Get the built-in provider's frame for payout details, by its signed address",
  access: "payoutDetails.manage",
  params: Ticket,
  reply: z.string(),
  replyTypes: ["text/html"],
});

const IBAN = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/;
/** ISO 13616: letters count from 10, and the number leaves 1 when divided by 97. */
function isIban(text: string): boolean {
  if (!IBAN.test(text)) return false;
  const digits = (text.slice(4) + text.slice(0, 4)).replaceAll(/[A-Z]/g, (letter) =>
    String(Number.parseInt(letter, 36)),
  );
  return BigInt(digits) % 97n === 1n;
}

/** Where the built-in provider sends money. */
export const SandboxDetails = z.discriminatedUnion("method", [
  z.strictObject({
    method: z.literal("bank"),
    holder: z.string().trim().min(1, TEXTS.required).max(100),
    account: z
      .string()
      .max(60)
      .transform((text) => text.replaceAll(/\s/g, "").toUpperCase())
      .refine(isIban, "Enter a valid IBAN"),
  }),
  z.strictObject({
    method: z.literal("paypal"),
    holder: z.string().trim().min(1, TEXTS.required).max(100),
    account: z.string().trim().max(254).pipe(z.email("Enter the e-mail address of your PayPal account")),
  }),
]);
export type SandboxDetails = z.output<typeof SandboxDetails>;

export const saveSandboxDetails = defineCall({
  method: "POST",
  path: "/payout_frame/{ticket}",
  summary: "Keep the payout details that were entered in the built-in provider's frame",
  access: "payoutDetails.manage",
  params: Ticket,
  body: SandboxDetails,
  reply: Done.extend({ method: z.string() }),
});

export const tipaltiNotice = defineCall({
  method: "POST",
  path: "/payment/tipalti_notice",
  summary: "Take a notice of Tipalti's (IPN), a form that Tipalti must confirm before anything is asked about",
  access: "public",
  limitsItself: true,
  maxBodyBytes: 16 * 1024,
  reply: Done,
});

/** Where a payout stands; see the decision on payouts. */
export const PAYOUT_STATES = ["due", "sending", "sent", "paid", "rejected"] as const;
export type PayoutState = (typeof PAYOUT_STATES)[number];

/** What may block a payout between its claim and its order. */
const ORDER_BLOCKS = ["drift", "blocked"] as const satisfies readonly PaymentBlock[];

const AdminPayout = z.object({
  id: Uuid,
  /** The owner's e-mail; null if the account is deleted. */
  account: z.string().nullable(),
  month: Month,
  amount: Micros,
  method: z.string(),
  state: z.enum(PAYOUT_STATES),
  created_at: z.iso.datetime(),
  changed_at: z.iso.datetime(),
  asked_at: z.iso.datetime().nullable(),
  /** True for one that nobody pays unless an admin does; otherwise missing. */
  by_hand: z.literal(true).optional(),
  /** What holds back one that is `due`; left out if nothing does. */
  blocks: z.array(z.enum(ORDER_BLOCKS)).optional(),
  /** Whether the provider can be asked what became of it, and whether an admin may say it: of one that is `due`, that it is rejected, of one that was paid by hand, that the bank has returned it, and of one that came back to a deleted account, that it was paid by hand. */
  askable: z.boolean(),
  settleable: z.boolean(),
  reason: z.string(),
});

export const adminPayouts = defineCall({
  method: "GET",
  path: "/admin/payouts.json",
  summary:
    "Get what the next payout run would pay and whom it would not, and the payouts made, newest first; the search is for owners' e-mails and methods",
  access: "admin",
  query: SearchedPage,
  reply: z.object({
    provider: z.enum(["sandbox", "tipalti"]),
    minimum: Micros,
    run: z.object({
      month: Month,
      on: Day,
      month_is_over: z.boolean(),
      /** Accounts with a balance and without a payout of the month. */
      accounts: z.array(z.object({ account: z.string(), amount: Micros, blocks: z.array(z.enum(PAYMENT_BLOCKS)) })),
      /** What would be paid. */
      total: Micros,
      left_off: z.int(),
      /** What is held back of the month before, which is due: it is paid within hours once nothing holds it. Missing if nothing is. */
      held: z.object({ month: Month, on: Day, accounts: z.int(), total: Micros }).optional(),
    }),
    payouts: z.array(AdminPayout),
    pager: Pager,
  }),
});
export type AdminPayouts = z.infer<typeof adminPayouts.reply>;

export const askAboutPayout = defineCall({
  method: "POST",
  path: "/admin/payouts/{id}/ask",
  summary: "Ask the provider now what became of a payout",
  access: "admin",
  params: ById,
  reply: z.object({ state: z.enum(PAYOUT_STATES) }),
});

export const whereToPay = defineCall({
  method: "POST",
  path: "/admin/payouts/{id}/where_to_pay",
  summary: "Show where a payout that is paid by hand goes; the audit log has who has seen it",
  access: "admin",
  params: ById,
  reply: z.object({ method: z.enum(["bank", "paypal"]), holder: z.string(), account: z.string() }),
});
export type WhereToPay = z.infer<typeof whereToPay.reply>;

export const settlePayout = defineCall({
  method: "POST",
  path: "/admin/payouts/{id}/settle",
  summary:
    "Say what became of a payout that its provider says nothing about, or reject one before it is ordered, with the reason",
  access: "admin",
  params: ById,
  body: z.strictObject({
    /** Whether the money has left; if not, it returns to the publisher's balance. */
    paid: z.boolean(),
    reason: z.string().trim().min(1, TEXTS.required).max(500),
    /** The UTC day on which it left, for the statement; today if left out. Not used for one that was not paid. */
    paid_on: Day.optional(),
  }),
  reply: z.object({ state: z.enum(PAYOUT_STATES) }),
});
