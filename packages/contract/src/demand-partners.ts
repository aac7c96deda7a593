import { z } from "zod";
import { AppIdentity } from "./apps.ts";
import { defineCall } from "./define-call.ts";
import { AtRevision, ById, Revision, Uuid } from "./fields.ts";

export const DSP_FORMATS = ["video", "banner"] as const;
export type DspFormat = (typeof DSP_FORMATS)[number];

/** One key of a partner, as its form field (JSON Schema). */
export const KeyProperty = z.object({
  type: z.enum(["string", "integer", "number", "boolean", "array"]),
  title: z.string(),
  description: z.string().optional(),
  pattern: z.string().optional(),
  enum: z.array(z.union([z.string(), z.number()])).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minLength: z.int().optional(),
  maxLength: z.int().optional(),
  /** A list's item type. */
  items: z.object({ type: z.enum(["string", "integer", "number"]) }).optional(),
});
export type KeyProperty = z.infer<typeof KeyProperty>;

export const KeysSchema = z.object({
  type: z.literal("object"),
  title: z.string(),
  properties: z.record(z.string(), KeyProperty),
  required: z.array(z.string()),
});

/** The keys, checked against the partner's schema. */
export const Keys = z.record(
  z.string().max(64),
  z.union([
    z.string().max(2000),
    z.number(),
    z.boolean(),
    z.array(z.union([z.string().max(500), z.number()])).max(100),
  ]),
);
export type Keys = z.infer<typeof Keys>;

const Entry = z.strictObject({ id: Uuid, dsp: z.string().max(64), format: z.enum(DSP_FORMATS) });

/** The revision of keys that an app does not have, so that keys which somebody else has just added are not replaced. */
export const NO_KEYS = "none";

export const RtbExt = z.object({
  schemas: z.record(
    z.string(),
    z.object({
      dsp_name: z.string(),
      keys_schema: KeysSchema,
      formats: z.array(z.enum(DSP_FORMATS)),
      /** A bidder of the demo that misbehaves on purpose. */
      is_test: z.boolean(),
    }),
  ),
  keys: z.record(z.string(), z.partialRecord(z.enum(DSP_FORMATS), Keys)),
  /** Of the keys. Servers before this field save them at any revision. */
  revisions: z.record(z.string(), z.partialRecord(z.enum(DSP_FORMATS), Revision)).optional(),
  app: AppIdentity,
});
export type RtbExt = z.infer<typeof RtbExt>;

export const dspKeys = defineCall({
  method: "GET",
  path: "/apps/{id}/rtbext",
  summary: "Get the partners' key forms and this app's keys",
  access: "keys.manage",
  params: ById,
  reply: RtbExt,
});

export const putDspKeys = defineCall({
  method: "PUT",
  path: "/apps/{id}/rtbext/{dsp}/{format}",
  summary:
    "Set the app's keys at a partner for one format; with the `revision` that was read, or `none`, only if nobody else has changed them since",
  access: "keys.manage",
  params: Entry,
  query: AtRevision,
  body: Keys,
  reply: RtbExt,
});

export const deleteDspKeys = defineCall({
  method: "DELETE",
  path: "/apps/{id}/rtbext/{dsp}/{format}",
  summary: "Remove the app's keys at a partner for one format",
  access: "keys.manage",
  params: Entry,
  reply: RtbExt,
});
