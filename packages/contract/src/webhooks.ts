import { z } from "zod";
import { defineCall } from "./define-call.ts";
import { AtRevision, ById, Micros, Revision, Uuid } from "./fields.ts";
import { CallbackOutcome } from "./rewards.ts";
import { serverAddress } from "./server-address.ts";

/** The most impressions in one delivery. */
export const IMPRESSIONS_PER_DELIVERY = 500;

/** The headers of a delivery: its id, and the signature of the body with the id of the key that made it. */
export const DELIVERY_HEADERS = {
  id: "millrace-delivery-id",
  keyId: "millrace-key-id",
  signature: "millrace-signature",
} as const;

/** A counted impression and its revenue, named as in the SDK's `revenuePaid` and in `impressions.csv`. */
const ImpressionRevenue = z.strictObject({
  /** Unique to this impression. */
  event_id: z.string(),
  auction: z.guid(),
  /** When it was counted. */
  time: z.iso.datetime(),
  zone: z.string(),
  format: z.string(),
  /** ISO 3166-1 alpha-2; `XX` if it is unknown. */
  country: z.string(),
  /** The id of whoever sold the ad. */
  network: z.string(),
  /** `estimated` is a line item's: its seller pays outside the platform. */
  precision: z.enum(["exact", "estimated"]),
  /** The publisher's share. */
  revenue_micros: Micros,
  currency: z.literal("USD"),
});

/** What the platform posts to a publisher's server. */
export const RevenueDelivery = z.strictObject({
  /** The same whenever this delivery is sent again, and for no other. */
  delivery_id: Uuid,
  /** When it was made; the same whenever it is sent again. */
  created_at: z.iso.datetime(),
  app: Uuid,
  /** A test from the settings, whose impression is made up. */
  test: z.boolean(),
  /** Oldest first, as far as they were stored in order. */
  impressions: z.array(ImpressionRevenue).min(1).max(IMPRESSIONS_PER_DELIVERY),
});
export type RevenueDelivery = z.infer<typeof RevenueDelivery>;

const Moment = z.iso.datetime();

/** An app's webhook and what became of its deliveries. */
const RevenueWebhook = z.object({
  /** Null for none; the figures are then 0 or null. */
  url: z.string().nullable(),
  /** Covers the address; send it back with a change. */
  revision: Revision,
  /** Impressions, since the app has a webhook. */
  delivered: z.int(),
  /** Impressions that could not be delivered for three days. */
  given_up: z.int(),
  /** How far it is behind: impressions that are not delivered yet, and when the oldest was counted. */
  waiting: z.int(),
  waiting_since: Moment.nullable(),
  last_delivered_at: Moment.nullable(),
  last_failure: z.object({ at: Moment, outcome: CallbackOutcome }).nullable(),
});
export type RevenueWebhook = z.infer<typeof RevenueWebhook>;

/** Every change returns the webhook. */
const ofWebhook = { access: "keys.manage", params: ById, reply: RevenueWebhook } as const;

export const revenueWebhook = defineCall({
  ...ofWebhook,
  method: "GET",
  path: "/apps/{id}/revenue_webhook.json",
  summary:
    "Get the address to which an app's impressions and their revenue are posted, and what became of the deliveries",
});

export const RevenueWebhookForm = z.strictObject({ url: serverAddress("https://game.example/revenue") });

export const setRevenueWebhook = defineCall({
  ...ofWebhook,
  method: "PUT",
  path: "/apps/{id}/revenue_webhook",
  summary: "Set the address to which the impressions counted from now on are posted with their revenue",
  query: AtRevision,
  body: RevenueWebhookForm,
});

export const removeRevenueWebhook = defineCall({
  ...ofWebhook,
  method: "DELETE",
  path: "/apps/{id}/revenue_webhook",
  query: AtRevision,
  summary: "Stop posting an app's impressions; those that wait are not delivered any more",
});

export const testRevenueWebhook = defineCall({
  method: "POST",
  path: "/apps/{id}/revenue_webhook/test",
  summary: "Post a signed delivery with test: true to the app's address, and get how it ended",
  access: "keys.manage",
  params: ById,
  reply: z.object({ delivered: z.boolean(), outcome: CallbackOutcome }),
});
