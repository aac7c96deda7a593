import { z } from "zod";
import { FORMATS, PLATFORMS, SOCIAL_SERVICES } from "./constants.ts";
import { defineCall } from "./define-call.ts";

export const site = defineCall({
  method: "GET",
  path: "/site.json",
  summary: "Get the platform's operator and its identity providers",
  access: "public",
  reply: z.object({
    operator: z.object({ name: z.string(), email: z.string().nullable(), address: z.string().nullable() }),
    /** The identity providers that are set up. */
    social: z.array(z.enum(SOCIAL_SERVICES)),
    demo: z.boolean(),
    /** The publishers' share of a cleared price, in percent. */
    publisher_share: z.number(),
    /** The mailbox page of a demo without a mail server, and whether this browser may open it; otherwise null. */
    mailbox: z.object({ path: z.string(), is_open: z.boolean() }).nullable(),
  }),
});

/** How a bidder came out in an auction, as strangers may know it. */
export const SHOWN_RESULTS = ["won", "outbid", "under_floor", "refused", "no_bid", "failed", "timeout"] as const;
export type ShownResult = (typeof SHOWN_RESULTS)[number];

/** A recorded auction without names, ids, prices or anything of the device but its country and platform. */
export const ShownAuction = z.object({
  at: z.iso.datetime(),
  format: z.enum(FORMATS),
  platform: z.enum(PLATFORMS),
  /** ISO 3166-1 alpha-2, or `XX`. */
  country: z.string(),
  /** Those that were asked, in the order of their answers. */
  bidders: z.array(
    z.object({
      result: z.enum(SHOWN_RESULTS),
      /** From the call to its answer, or until bids closed; 0 for what bids without a call. */
      after_ms: z.number(),
      /** The bid as a share of the highest one, from 0 to 1; null without a bid. */
      share: z.number().nullable(),
    }),
  ),
});
export type ShownAuction = z.infer<typeof ShownAuction>;

export const showcase = defineCall({
  method: "GET",
  path: "/showcase.json",
  summary: "Get the latest auctions of the demo's apps, for the landing page; none outside demo mode",
  access: "public",
  reply: z.object({
    /** Newest first. */
    auctions: z.array(ShownAuction),
  }),
});

export const robotsTxt = defineCall({
  method: "GET",
  path: "/robots.txt",
  summary: "Get what search engines may read (RFC 9309)",
  access: "public",
  reply: z.string(),
  replyTypes: ["text/plain"],
});

export const sitemapXml = defineCall({
  method: "GET",
  path: "/sitemap.xml",
  summary: "Get the public pages (sitemaps.org, version 0.9)",
  access: "public",
  reply: z.string(),
  replyTypes: ["application/xml"],
});
