import { z } from "zod";
import { defineCall } from "./define-call.ts";
import { Uuid } from "./fields.ts";

// The protocols of servers, Prebid clients and players, which are not ours to change.

/** The server validates the body against the standard. */
export const openrtbAuction = defineCall({
  method: "POST",
  path: "/openrtb2/auction",
  summary: "Send an OpenRTB 2.6 bid request, from a server or Prebid's server adapter",
  access: "public",
  body: z.looseObject({ id: z.string(), imp: z.array(z.looseObject({ id: z.string() })).min(1) }),
  reply: z.looseObject({
    id: z.string(),
    cur: z.string().optional(),
    nbr: z.int().optional(),
    seatbid: z.array(z.looseObject({ seat: z.string(), bid: z.array(z.looseObject({ id: z.string() })) })).optional(),
  }),
});

export const vastTag = defineCall({
  method: "GET",
  path: "/vast",
  summary: "Get VAST 4.2 for a video or audio player; empty if there is no ad",
  access: "public",
  query: z.object({
    app: Uuid,
    zone: z.string().regex(/^(?!\.{1,2}$)[A-Za-z0-9_.:-]{1,64}$/),
    format: z.enum(["video", "rewarded", "audio"]).default("video"),
    w: z.coerce.number().int().min(1).max(20_000).optional(),
    h: z.coerce.number().int().min(1).max(20_000).optional(),
    /** The maximum duration in seconds. */
    max: z.coerce.number().int().min(1).max(3600).default(60),
    ifa: z.string().max(64).optional(),
    lmt: z.coerce.number().int().min(0).max(1).optional(),
    gdpr: z.coerce.number().int().min(0).max(1).optional(),
    tcf: z.string().max(10_000).optional(),
    us_privacy: z.string().max(8).optional(),
    gpp: z.string().max(10_000).optional(),
    /** Section ids, parted by commas or underscores. */
    gpp_sid: z
      .string()
      .max(200)
      .regex(/^-?\d{1,3}(?:[,_]-?\d{1,3})*$/, "Use section ids parted by commas")
      .transform((ids) => ids.split(/[,_]/).map(Number))
      .optional(),
    coppa: z.coerce.number().int().min(0).max(1).optional(),
  }),
  reply: z.string(),
  replyTypes: ["application/xml"],
});

/** Prebid's SDK for apps asks it when it starts, next to the address of auctions. */
export const auctionStatus = defineCall({
  method: "GET",
  path: "/status",
  summary: "Ask whether auctions are executed, in the form of a Prebid Server",
  access: "public",
  reply: z.object({ application: z.object({ status: z.literal("ok") }) }),
});

export const cachedMarkup = defineCall({
  method: "GET",
  path: "/cache",
  summary: "Get what a bid's hb_uuid stands for (its VAST), or its hb_cache_id (the bid as JSON): see ext.prebid.cache",
  access: "public",
  query: z.object({ uuid: z.string().min(1).max(64) }),
  reply: z.string(),
  replyTypes: ["application/xml", "application/json"],
});
