import { z } from "zod";
import { defineCall } from "./define-call.ts";
import { domainLike, Micros } from "./fields.ts";

/** The account's lines (IAB Tech Lab, app-ads.txt 1.1), from its active partners and keys. */
export const appAdsTxt = defineCall({
  method: "GET",
  path: "/app-ads.txt",
  summary: "Download the account's app-ads.txt",
  access: "appAds.read",
  reply: z.string(),
});

export const sellersJson = defineCall({
  method: "GET",
  path: "/sellers.json",
  summary: "Who sells through this platform (IAB Tech Lab, sellers.json 1.0)",
  access: "public",
  reply: z.object({
    contact_email: z.string().optional(),
    version: z.literal("1.0"),
    sellers: z.array(
      z.object({
        seller_id: z.string(),
        seller_type: z.literal("PUBLISHER"),
        is_confidential: z.literal(1).optional(),
        name: z.string().optional(),
        domain: z.string().optional(),
      }),
    ),
  }),
});

const Line = z.object({
  line: z.string(),
  /** The partners that require it, by name. */
  partners: z.array(z.string()),
});

export const AppAds = z.object({
  /** The developer's site, where stores and buyers look for the file; null until it is set. */
  domain: z.string().nullable(),
  is_confidential: z.boolean(),
  lines: z.array(Line),
  /** Lines that cannot be written, for want of keys at a partner that has others. */
  left_out: z.array(
    z.object({
      partner: z.string(),
      /** The line with a brace for each key: `exchange.example, {seat}, DIRECT`. */
      line: z.string(),
      /** The names of the keys that are missing. */
      keys: z.array(z.string()),
    }),
  ),
});
export type AppAds = z.infer<typeof AppAds>;

export const appAds = defineCall({
  method: "GET",
  path: "/apps/app_ads.json",
  summary: "The account's app-ads.txt line by line, with the partners behind each",
  access: "appAds.read",
  reply: AppAds,
});

export const setAppAds = defineCall({
  method: "PUT",
  path: "/apps/app_ads.json",
  summary: "Set the developer's site, and whether sellers.json names the account",
  access: "account.change",
  body: z.strictObject({
    domain: domainLike("studio.example"),
    is_confidential: z.boolean(),
  }),
  reply: AppAds,
});

export const checkAppAds = defineCall({
  method: "POST",
  path: "/apps/app_ads_check",
  summary:
    "Fetch the developer site's app-ads.txt and tell what is missing, with the revenue of the partners concerned",
  access: "appAds.read",
  reply: z.object({
    url: z.string(),
    /** Null if the file was read; otherwise the reason it was not. */
    problem: z.string().nullable(),
    found: z.int(),
    missing: z.array(Line.extend({ revenue: Micros })),
    /** Revenue of the last 30 days from partners with a missing line. */
    revenue_at_risk: Micros,
  }),
});
