import { z } from "zod";
import { Categories } from "./app-settings.ts";
import { Pager } from "./apps.ts";
import { CampaignFields } from "./campaign-fields.ts";
import { CAMPAIGN_FORMATS } from "./campaign-rules.ts";
import { defineCall } from "./define-call.ts";
import { ById, Done, SearchedPage, Uuid } from "./fields.ts";
import { UploadedFile } from "./uploads.ts";

/** Creatives that wait for a decision, and those that have one. */
export const CREATIVE_DECISIONS = ["waiting", "approved", "blocked"] as const;

const ReviewedCreative = z.object({
  c_id: Uuid,
  campaign: z.string(),
  /** The advertised app: its ids, and its picture, which native ads show as their icon; null if it is not known. */
  app: z.object({
    platform: CampaignFields.shape.app_platform,
    store_id: z.string(),
    bundle_id: z.string(),
    logo_url: z.string().nullable(),
  }),
  owner: z.object({ uuid: Uuid, name: z.string(), email: z.string() }),
  format: z.enum(CAMPAIGN_FORMATS),
  store_id: z.string(),
  /** Of its store; empty for any. */
  country: z.string(),
  cta: z.string(),
  title: z.string(),
  skip_timer: z.int(),
  click_url: z.string(),
  tracking_url: z.string(),
  /** The campaign's links: the first is opened in place of `click_url`, the second fetched where there is no `tracking_url`. */
  click_link: z.string(),
  view_link: z.string(),
  image: UploadedFile,
  status: z.enum(["new", "edited", "approved", "blocked"]),
  waiting_since: z.iso.datetime(),
  /** Null while it waits. */
  decided_at: z.iso.datetime().nullable(),
  /** What a moderator has found of an approved one. */
  categories: z.array(z.string()),
  for_children: z.boolean(),
});
export type ReviewedCreative = z.infer<typeof ReviewedCreative>;

export const creativeQueue = defineCall({
  method: "GET",
  path: "/admin/creatives.json",
  summary: "List creatives that await moderation, oldest first, or approved or blocked ones, the latest decision first",
  access: "admin",
  query: SearchedPage.extend({ decision: z.enum(CREATIVE_DECISIONS).default("waiting") }),
  reply: z.object({ creatives: z.array(ReviewedCreative), pager: Pager }),
});

export const moderateCreative = defineCall({
  method: "POST",
  path: "/admin/moderation/creatives/{id}",
  summary:
    "Approve or block a creative, whatever was decided before; the campaign's owner is notified by mail of a changed decision",
  access: "admin",
  params: ById,
  body: z.strictObject({
    decision: z.enum(["approve", "block"]),
    reason: z.string().trim().max(500).default(""),
    /** Of an approved creative: its IAB categories, by which publishers block it, and whether it may be shown to children. */
    categories: Categories.default([]),
    for_children: z.boolean().default(false),
    /** From the queue: a creative that its owner has edited since is not decided. */
    waiting_since: z.iso.datetime().optional(),
    /** From either list: a creative that another admin has decided on since keeps that decision. */
    decided_at: z.iso.datetime().nullable().optional(),
  }),
  reply: Done,
});
