import { z } from "zod";
import { PARTNER_RESULTS } from "./auctions.ts";
import { FORMATS } from "./constants.ts";
import { defineCall } from "./define-call.ts";
import { DebugToken } from "./exchange.ts";
import { ById, Micros, Uuid } from "./fields.ts";

// The SDK's debugger. An app's key is public, so it opens nothing here: only a token from the dashboard does (decision 58).

/** How long a debug token is valid, in minutes. */
export const DEBUG_TOKEN_MINUTES = 60;
/** The most auctions that a debugger asks about at once. */
export const DEBUGGED_AUCTIONS = 10;

export const debugToken = defineCall({
  method: "POST",
  path: "/apps/{id}/debug_token",
  summary: "Make a token for the SDK's debugger, which tells about this app for an hour",
  access: "instructions.read",
  params: ById,
  reply: z.object({ token: DebugToken, expires_at: z.iso.datetime() }),
});

/** What is known of the developer site's app-ads.txt: all lines are there, or some are missing. */
export const SITE_STATES = ["no_site", "checking", "found", "missing"] as const;

/** One provider's result in an auction, in the words of the dashboard's page. */
const DebuggedParticipant = z.object({
  provider: z.string(),
  name: z.string(),
  result: z.enum(PARTNER_RESULTS),
  label: z.string(),
  text: z.string(),
  /** The CPM of its best bid, as far as known. */
  price: Micros.nullable(),
  latency_ms: z.number().nullable(),
});

const DebuggedAuction = z.object({
  auction: Uuid,
  at: z.iso.datetime(),
  zone: z.string(),
  format: z.enum(FORMATS),
  test: z.boolean(),
  /** What happened, as a sentence, and what else there is to say. */
  sentence: z.string(),
  detail: z.string(),
  /** The CPM of the ad that was shown, or else of the first one; null without an ad. */
  price: Micros.nullable(),
  /** From the request's arrival to its answer; null if it was not recorded, as for tests. */
  answered_ms: z.number().nullable(),
  participants: z.array(DebuggedParticipant),
});

export const sdkDebug = defineCall({
  method: "POST",
  path: "/sdk/v1/debug",
  summary: "Tell the SDK's debugger about an app and its last auctions, by a token from the dashboard",
  access: "device",
  body: z.object({
    token: DebugToken,
    /** Auctions that this SDK has had answers from. Those of other apps, and those not kept, are left out of the reply. */
    auctions: z.array(Uuid).max(DEBUGGED_AUCTIONS).default([]),
  }),
  reply: z.object({
    app: z.object({
      uuid: Uuid,
      name: z.string(),
      /** Whether it is approved, so that its requests are sold. */
      is_live: z.boolean(),
      /** Banned, or switched off by the operator: its SDKs show no ads. */
      is_switched_off: z.boolean(),
    }),
    token_expires_at: z.iso.datetime(),
    latest_sdk_version: z.string(),
    app_ads: z.enum(SITE_STATES),
    zones: z.array(z.object({ zone: z.string(), name: z.string(), format: z.enum(FORMATS), refresh_seconds: z.int() })),
    /** All partners of the platform that are switched on there, and which kinds of keys the app has: never the keys. */
    partners: z.array(
      z.object({
        provider: z.string(),
        name: z.string(),
        /** False if the app has switched it off. */
        is_on: z.boolean(),
        has_banner_keys: z.boolean(),
        has_video_keys: z.boolean(),
        /** It keeps failing and is not asked at the moment. */
        is_paused: z.boolean(),
      }),
    ),
    /** The line items that need an adapter, which the app's SDK must have registered. */
    adapters: z.array(z.object({ adapter: z.string(), line_item: z.string(), format: z.enum(FORMATS) })),
    /** In the order of the request. */
    auctions: z.array(DebuggedAuction),
  }),
});
