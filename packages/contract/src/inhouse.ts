import { z } from "zod";
import { Pager } from "./apps.ts";
import { CAMPAIGN_STATUSES, SWITCHED } from "./campaigns.ts";
import { PLATFORMS } from "./constants.ts";
import { defineCall } from "./define-call.ts";
import { AtRevision, ById, Done, Micros, OnceByKey, Revision, SearchedPage, Uuid } from "./fields.ts";
import { StatsFilter, inOrder } from "./filters.ts";
import { INHOUSE_FORMATS, InhouseBody, InhouseFields } from "./inhouse-fields.ts";
import { UPLOAD_KINDS, UploadedFile } from "./uploads.ts";

/** An app of the account, which a campaign can promote or be shown in. */
const InhouseApp = z.object({
  uuid: Uuid,
  name: z.string(),
  platform: z.enum(PLATFORMS),
  bundle_id: z.string(),
  /** Its page in its store. */
  url: z.string().nullable(),
  logo_url: z.string().nullable(),
});
export type InhouseApp = z.infer<typeof InhouseApp>;

export const InhouseRow = z.object({
  uuid: Uuid,
  title: z.string(),
  /** The promoted app; null if it was deleted. */
  app: InhouseApp.pick({ uuid: true, name: true, platform: true, logo_url: true }).nullable(),
  /** The names of the apps that show it, without deleted ones. */
  shown_in: z.array(z.string()),
  format: z.enum(INHOUSE_FORMATS),
  /** 0 if it only fills what nobody bought. */
  price: Micros,
  image_url: z.string().nullable(),
  status: z.enum(SWITCHED),
  campaign_status: z.enum(CAMPAIGN_STATUSES),
  /** Why it is not shown, in a sentence. */
  status_reason: z.string().nullable(),
  impressions: z.int(),
  clicks: z.int(),
  installs: z.int(),
});
export type InhouseRow = z.infer<typeof InhouseRow>;

export const listInhouse = defineCall({
  method: "GET",
  path: "/api/inhouse",
  summary: "List the account's in-house campaigns with their figures of the requested days",
  access: "inhouse.read",
  query: inOrder(StatsFilter.pick({ ds: true, de: true }).extend(SearchedPage.shape)),
  reply: z.object({
    campaigns: z.array(InhouseRow),
    totals: InhouseRow.pick({ impressions: true, clicks: true, installs: true }),
    pager: Pager,
  }),
});

/** What the form's selectors offer. */
const Choices = {
  apps: z.array(InhouseApp),
  countries: z.record(z.string(), z.string()),
  versions: z.object({ ios: z.array(z.string()), android: z.array(z.string()) }),
};

export const inhouseChoices = defineCall({
  method: "GET",
  path: "/inhouse/add.json",
  summary: "Get what the form of a new in-house campaign offers",
  access: "inhouse.manage",
  reply: z.object(Choices),
});

const CREATIVE = {
  format: true,
  target_url: true,
  store_id: true,
  store_country: true,
  video_orientation: true,
  skip_timer: true,
  interstitial_waterfall: true,
} as const;

/** A campaign has one creative. */
const InhouseCreative = InhouseFields.pick(CREATIVE).extend({
  image_l: UploadedFile.nullable(),
  image_p: UploadedFile.nullable(),
  video: UploadedFile.nullable(),
});

export const getInhouse = defineCall({
  method: "GET",
  path: "/inhouse/{id}/edit.json",
  summary: "Get an in-house campaign as its form shows it",
  access: "inhouse.manage",
  params: ById,
  reply: z.object({
    ...Choices,
    revision: Revision,
    campaign: InhouseFields.omit({ ...CREATIVE, image_l: true, image_p: true, video: true }).extend({
      uuid: Uuid,
      /** Empty, as is the list, if the apps were deleted. */
      ad_app_id: z.union([Uuid, z.literal("")]),
      app_id: z.array(Uuid),
      status: z.enum(SWITCHED),
      campaign_status: z.enum(CAMPAIGN_STATUSES),
      status_reason: z.string().nullable(),
    }),
    creatives: z.array(InhouseCreative),
  }),
});

const Saved = z.object({ uuid: Uuid, redirect_to: z.string().optional() });

/** Form-encoded, as `inhouseForm` writes it; JSON is taken, too. */
export const addInhouse = defineCall({
  method: "POST",
  path: "/inhouse/add",
  summary: "Add an in-house campaign, once for each `key`. The body may be form-encoded",
  access: "inhouse.manage",
  query: OnceByKey,
  body: InhouseBody,
  reply: Saved,
});

export const editInhouse = defineCall({
  method: "POST",
  path: "/inhouse/{id}/edit",
  summary:
    "Change an in-house campaign; with the `revision` that was read, only if nobody else has changed it since. The body may be form-encoded",
  access: "inhouse.manage",
  params: ById,
  query: AtRevision,
  body: InhouseBody,
  reply: Saved,
});

/** A browser that navigates here is redirected to the list. */
export const setInhouseStatus = defineCall({
  method: "GET",
  path: "/inhouse/{id}/status",
  summary: "Start or freeze an in-house campaign",
  access: "inhouse.manage",
  params: ById,
  query: z.strictObject({ status: z.enum(SWITCHED) }),
  reply: Done,
  changesState: true,
});

/** A browser that navigates here is redirected to the list. */
export const deleteInhouse = defineCall({
  method: "GET",
  path: "/inhouse/{id}/delete",
  summary: "Delete an in-house campaign. Its figures stay in the statistics of its apps",
  access: "inhouse.manage",
  params: ById,
  reply: Done,
  changesState: true,
});

/** Takes a multipart form with one file. The bytes decide the type: PNG, JPEG or GIF; MP4, MOV or AVI. */
export const uploadInhouse = defineCall({
  method: "POST",
  path: "/inhouse/upload",
  summary: "Upload an image or a video for an in-house campaign",
  access: "inhouse.manage",
  takesFile: true,
  query: z.strictObject({ kind: z.enum(UPLOAD_KINDS).default("image") }),
  reply: UploadedFile,
});
