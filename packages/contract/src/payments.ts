import { z } from "zod";
import { Pager } from "./apps.ts";
import { defineCall } from "./define-call.ts";
import { Day, Micros, SearchedPage } from "./fields.ts";

export const HISTORY_PER_PAGE = 10;

/** A refill, what was taken back of one, a credit or its correction, what campaigns have spent on a day, and spend that was given back. */
export const BALANCE_ENTRY_TYPES = ["refill", "refill_taken_back", "advertiser_credit", "spend", "return"] as const;

export const BalanceEntry = z.object({
  /** When it was booked; of a day's spend the day's end, or now while the day is not over. */
  ctime: z.iso.datetime(),
  /** The UTC day of the traffic that it is about; null for a refill, what was taken back of one, and a credit. */
  day: Day.nullable(),
  type: z.enum(BALANCE_ENTRY_TYPES),
  /** Negative for what was spent or taken back. */
  amount: Micros,
  /** The balance after it. */
  balance: Micros,
  /** The reason that was given; of a day's spend, the campaigns' names. */
  comment: z.string(),
});
export type BalanceEntry = z.infer<typeof BalanceEntry>;

export const balanceHistory = defineCall({
  method: "GET",
  path: "/payment/balance.json",
  summary: "List what moved the campaign balance, newest first; the whole history adds up to the balance",
  access: "campaignBalance.read",
  query: SearchedPage.pick({ p: true }),
  reply: z.object({ balance: Micros, history: z.array(BalanceEntry), pager: Pager }),
});

export const CampaignFunds = z.object({
  balance: Micros,
  /** What campaigns have spent on this UTC day. */
  spent_today: Micros,
  /** The mean of the last six UTC days and today, which counts as far as it has gone; or of the days since `since`. */
  daily_spend: Micros,
  /** How many days the balance lasts at that; null if nothing was spent. */
  days_left: z.number().min(0).nullable(),
  /** The first UTC day with any spend, if it is later than six days ago; otherwise missing. */
  since: Day.optional(),
});
export type CampaignFunds = z.infer<typeof CampaignFunds>;

export const campaignFunds = defineCall({
  method: "GET",
  path: "/balance/campaign",
  summary: "Get the campaign balance, what campaigns have spent of it today, and how long it lasts",
  access: "campaignBalance.read",
  reply: CampaignFunds,
});

/** What a demo's advertiser can have on the balance without a refill by an admin. */
export const DEMO_MONEY = 1_000_000_000;

/** Problem `unprocessable` outside demo mode, and `conflict` if the balance is not below it. */
export const addDemoMoney = defineCall({
  method: "POST",
  path: "/payment/demo_money",
  summary: "Fill the campaign balance up to $1,000 of a demo's money",
  access: "campaigns.manage",
  reply: z.object({ balance: Micros }),
});
