import { z } from "zod";
import { defineCall } from "./define-call.ts";
import { AtRevision, domainLike, Micros, Revision } from "./fields.ts";

/** IAB Tech Lab app-ads.txt 1.1, from the account's active partners and keys. */
export const appAdsTxt = defineCall({
  method: "GET",
  path: "/app-ads.txt",
  summary: "Download the account's app-ads.txt",
  access: "appAds.read",
  reply: z.string(),
  replyTypes: ["text/plain"],
});

export const sellersJson = defineCall({
  method: "GET",
  path: "/sellers.json",
  summary: "Get the platform's sellers.json (IAB Tech Lab, version 1.0)",
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
  /** The names of partners that require it. */
  partners: z.array(z.string()),
});

export const AppAds = z.object({
  /** The developer's site, where stores and buyers look for the file; null until it is set. */
  domain: z.string().nullable(),
  is_confidential: z.boolean(),
  /** Covers the site and the flag; send it back with a change. */
  revision: Revision,
  lines: z.array(Line),
  /** Lines that cannot be written because keys at the partner are missing. */
  left_out: z.array(
    z.object({
      partner: z.string(),
      /** The line with placeholders for keys: `exchange.example, {seat}, DIRECT`. */
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
  summary: "Get the lines of the account's app-ads.txt, each with its partners",
  access: "appAds.read",
  reply: AppAds,
});

export const setAppAds = defineCall({
  method: "PUT",
  path: "/apps/app_ads.json",
  summary: "Set the developer's site, and whether the account is confidential in sellers.json",
  access: "account.change",
  query: AtRevision,
  body: z.strictObject({
    domain: domainLike("studio.example"),
    is_confidential: z.boolean(),
  }),
  reply: AppAds,
});

export const checkAppAds = defineCall({
  method: "POST",
  path: "/apps/app_ads_check",
  summary: "Fetch the app-ads.txt of the developer's site and list missing lines, with the revenue of their partners",
  access: "appAds.read",
  reply: z.object({
    url: z.string(),
    /** Why the file could not be read; null if it could. */
    problem: z.string().nullable(),
    found: z.int(),
    missing: z.array(Line.extend({ revenue: Micros })),
    /** Revenue of the last 30 days from partners with a missing line. */
    revenue_at_risk: Micros,
  }),
});
