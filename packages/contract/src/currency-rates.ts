import { z } from "zod";
import { defineCall } from "./define-call.ts";
import { Day } from "./fields.ts";

/** A code of ISO 4217. */
export const Currency = z.string().regex(/^[A-Z]{3}$/, "Use a code like EUR");

/** US dollars per unit of a currency on a day. */
const CurrencyRate = z.object({
  currency: z.string(),
  day: Day,
  usd: z.number(),
  source: z.enum(["hand", "feed"]),
  /** False if it is too old: bids in its currency are refused. */
  is_current: z.boolean(),
});
export type CurrencyRate = z.infer<typeof CurrencyRate>;

export const CurrencyRates = z.object({
  /** The newest of each currency. */
  rates: z.array(CurrencyRate),
  /** For how many days a rate is used. */
  days: z.int(),
  /** Whether a file or an address of rates is configured. */
  has_feed: z.boolean(),
});
export type CurrencyRates = z.infer<typeof CurrencyRates>;

export const currencyRates = defineCall({
  method: "GET",
  path: "/admin/currency_rates.json",
  summary: "List the newest exchange rate of each currency",
  access: "admin",
  reply: CurrencyRates,
});

export const noteCurrencyRate = defineCall({
  method: "POST",
  path: "/admin/currency_rates.json",
  summary: "Note a currency's exchange rate of a day, up to today; no feed replaces it",
  access: "admin",
  body: z.strictObject({
    currency: Currency.refine((code) => code !== "USD", "All rates are in US dollars"),
    day: Day,
    usd: z.number("Use a number").positive("Use a number above 0").lt(1_000_000, "Use US dollars for one unit"),
  }),
  reply: CurrencyRates,
});
