import { z } from "zod";
import { FORMATS } from "./constants.ts";
import { defineCall } from "./define-call.ts";
import { sdkAd } from "./exchange.ts";
import { ById, Micros, Uuid } from "./fields.ts";

export const TestAd = z.object({
  provider: z.string(),
  /** The partner's name. */
  name: z.string(),
  /** What it bid, per thousand impressions. */
  price: Micros,
  /** As in the reply to the SDK. */
  markup: z.object({ type: z.enum(["html", "vast", "native"]), content: z.string() }),
  w: z.int().nullable(),
  h: z.int().nullable(),
  /** The beacon to call once the ad shows; it records the impression as a test. */
  impression: z.url(),
});
export type TestAd = z.infer<typeof TestAd>;

export const TestAdReply = z.object({
  /** Its trace is always kept. */
  auction: Uuid,
  zone: z.string(),
  duration_ms: z.number(),
  ad: TestAd.nullable(),
  /** Why there is no ad: a code, and the same as a sentence. */
  no_ad: z.object({ code: z.string(), text: z.string() }).nullable(),
});
export type TestAdReply = z.infer<typeof TestAdReply>;

export const testAd = defineCall({
  method: "POST",
  path: "/apps/{id}/test_ad",
  summary: "Execute a test auction of an app: bidders know that it is one, and nothing of it is counted or paid",
  access: "instructions.read",
  params: ById,
  body: z.strictObject({
    format: z.enum(FORMATS),
    /** The app's first zone of the format by default. */
    zone: sdkAd.body.shape.zone.optional(),
  }),
  reply: TestAdReply,
});
