import { z } from "zod";
import { defineCall } from "./define-call.ts";
import { ById, Done, Uuid } from "./fields.ts";
import { POSTBACK_OUTCOMES } from "./measurement-rules.ts";

/** Anything a provider appends is taken as text; unknown parameters are part of the signature. */
const PostbackParams = z.looseObject({
  /** From the macro of a click's or an impression's address. */
  click_id: z.string().optional(),
  /** `install` by default. */
  event: z.string().optional(),
  /** Tells apart several events of the same name after one click. */
  transaction_id: z.string().optional(),
  /** The advertiser's secret, or a signature made with it. */
  secret: z.string().optional(),
  signature: z.string().optional(),
});

export const postback = defineCall({
  method: "GET",
  path: "/postback/{id}",
  summary: "Report a conversion from server to server, with the advertiser's secret or a signature",
  access: "device",
  params: ById,
  query: PostbackParams,
  reply: Done,
  changesState: true,
});

export const postbackByPost = defineCall({
  method: "POST",
  path: "/postback/{id}",
  summary: "The same by POST, with the parameters in the query, in a JSON body, or in both",
  access: "device",
  params: ById,
  query: PostbackParams,
  body: PostbackParams.optional(),
  reply: Done,
});

export const PostbackLine = z.object({
  at: z.iso.datetime(),
  event: z.string(),
  transaction_id: z.string(),
  /** What it followed; null if it could not be told. */
  kind: z.enum(["click", "view"]).nullable(),
  outcome: z.enum(POSTBACK_OUTCOMES),
  test: z.boolean(),
});
export type PostbackLine = z.infer<typeof PostbackLine>;

/** How an advertiser's conversions are reported, and what came lately. */
export const Measurement = z.object({
  /** The address for postbacks, with the secret and the macros of our own. */
  postback_url: z.string(),
  secret: z.string(),
  /** When the secret was made. */
  secret_since: z.iso.datetime(),
  /** The latest postbacks of this campaign, and those that name none of the account's, newest first. */
  postbacks: z.array(PostbackLine),
  /** Those of the last 30 days by what became of them. */
  counts: z.partialRecord(z.enum(POSTBACK_OUTCOMES), z.int()),
});
export type Measurement = z.infer<typeof Measurement>;

export const campaignMeasurement = defineCall({
  method: "GET",
  path: "/campaign/{id}/measurement.json",
  summary: "Get the address for a campaign's postbacks, and the latest ones",
  access: "campaigns.manage",
  params: ById,
  reply: Measurement,
});

export const testPostback = defineCall({
  method: "POST",
  path: "/campaign/{id}/postback/test",
  summary: "Make a click id for a test, whose postbacks are checked and shown but never counted",
  access: "campaigns.manage",
  params: ById,
  reply: z.object({ click_id: z.string(), url: z.string() }),
});

export const rotatePostbackSecret = defineCall({
  method: "POST",
  path: "/campaign/postback_secret",
  summary: "Replace the secret of the account's postbacks. The former one is refused at once",
  access: "campaigns.manage",
  reply: z.object({ id: Uuid }),
});
