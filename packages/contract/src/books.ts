import { z } from "zod";
import { defineCall } from "./define-call.ts";
import { ById, Day, Done, Micros, Uuid } from "./fields.ts";
import { TEXTS } from "./texts.ts";

/** What an account's books and its events can disagree in; see the glossary's drift. */
export const DRIFT_KINDS = ["revenue", "gross", "costs", "spend"] as const;
export type DriftKind = (typeof DRIFT_KINDS)[number];

const Money = z.object({ gross: Micros, revenue: Micros });

export const Books = z.object({
  /** The last UTC day that is booked; null before the first. */
  booked_until: Day.nullable(),
  checked_at: z.iso.datetime().nullable(),
  /** What single events say of each UTC day, and what is booked of it; the newest day first. */
  days: z.array(z.object({ day: Day, counted: Money, booked: Money })),
  /** Those that nobody has accepted first. */
  drifts: z.array(
    z.object({
      id: Uuid,
      day: Day,
      /** The owner's e-mail; null if the account is deleted. */
      account: z.string().nullable(),
      what: z.enum(DRIFT_KINDS),
      counted: Micros,
      booked: Micros,
      /** Who accepted it, if an admin has: the e-mail, or null for a deleted person. */
      accepted: z.object({ at: z.iso.datetime(), by: z.string().nullable(), reason: z.string() }).nullable(),
    }),
  ),
});
export type Books = z.infer<typeof Books>;

export const adminBooks = defineCall({
  method: "GET",
  path: "/admin/books.json",
  summary:
    "Get what the ledger holds of the last days beside what was counted from single events, and where they differ",
  access: "admin",
  reply: Books,
});

export const checkBooks = defineCall({
  method: "POST",
  path: "/admin/books/check",
  summary: "Book the days that are over, count them again from single events, and compare",
  access: "admin",
  reply: Done,
});

export const acceptDrift = defineCall({
  method: "POST",
  path: "/admin/books/drifts/{id}/accept",
  summary: "Accept a difference between books and events with a reason, so that it holds back no payment any more",
  access: "admin",
  params: ById,
  body: z.strictObject({
    /** The difference that was seen. If a count has found another one since, nothing is accepted. */
    counted: Micros,
    booked: Micros,
    reason: z.string().trim().min(1, TEXTS.required).max(500),
  }),
  reply: Done,
});

export const ADJUSTMENT_KINDS = ["bonus", "correction"] as const;
const MOST_MICROS = 1_000_000_000_000;

export const adjustBalance = defineCall({
  method: "POST",
  path: "/admin/users/{id}/adjustment",
  summary: "Give a publisher a bonus, or correct their balance up or down, once for each `key`",
  access: "admin",
  params: ById,
  body: z.strictObject({
    kind: z.enum(ADJUSTMENT_KINDS),
    amount: z
      .int()
      .min(-MOST_MICROS, "Take at most $1,000,000 at once")
      .max(MOST_MICROS, "Add at most $1,000,000 at once")
      .refine((micros) => micros !== 0, "Add an amount other than 0"),
    reason: z.string().trim().min(1, TEXTS.required).max(500),
    key: Uuid,
  }),
  reply: z.object({ balance: Micros }),
});
