import { z } from "zod";
import { LookupItem } from "./app-editing.ts";
import { Pager } from "./apps.ts";
import { CampaignBody, CampaignFields, CreativeFields } from "./campaign-fields.ts";
import { CAMPAIGN_FORMATS } from "./campaign-rules.ts";
import { defineCall } from "./define-call.ts";
import { AtRevision, ById, Done, Micros, OnceByKey, Revision, SearchedPage, Uuid } from "./fields.ts";
import { StatsFilter, inOrder } from "./filters.ts";
import { UPLOAD_KINDS, UploadedFile } from "./uploads.ts";

/** The owner's switch: a frozen campaign buys nothing until it is made active again. */
export const SWITCHED = ["active", "frozen"] as const;

/**
 * What a campaign does: `play` buys, `wait` will (its start, a creative's approval or the next of its days and hours is ahead),
 * `pause` was suspended by the platform (no balance, or no creative that may be shown), `frozen` by its owner, `done` is over.
 */
export const CAMPAIGN_STATUSES = ["play", "wait", "pause", "frozen", "done"] as const;
export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number];

/** `new` and `edited` wait for a decision, `moderated` is approved and shown once its campaign runs, `active` is shown. */
export const CREATIVE_STATUSES = ["new", "edited", "moderated", "active", "blocked"] as const;
export type CreativeStatus = (typeof CREATIVE_STATUSES)[number];

export const CampaignRow = z.object({
  uuid: Uuid,
  name: z.string(),
  app_platform: z.enum(["ios", "android"]),
  bundle_id: z.string(),
  store_id: z.string(),
  image_url: z.string().nullable(),
  campaign_format: z.enum(CAMPAIGN_FORMATS),
  status: z.enum(SWITCHED),
  campaign_status: z.enum(CAMPAIGN_STATUSES),
  /** Why a campaign does not run, in a sentence. */
  status_reason: z.string().nullable(),
  creatives: z.int(),
  creative_status: z.array(
    z.object({ store_id: z.string(), format: z.enum(CAMPAIGN_FORMATS), status: z.enum(CREATIVE_STATUSES) }),
  ),
  budget: Micros,
  daily: Micros,
  impressions: z.int(),
  clicks: z.int(),
  conversions: z.int(),
  costs: Micros,
});
export type CampaignRow = z.infer<typeof CampaignRow>;

/** What the form's selectors offer. */
const CampaignChoices = {
  countries: z.record(z.string(), z.string()),
  versions: z.object({ ios: z.array(z.string()), android: z.array(z.string()) }),
  banners: z.array(z.object({ width: z.int(), height: z.int() })),
};

/** Days of the figures; yesterday and today by default. */
const Dates = StatsFilter.pick({ ds: true, de: true });

const ListTotals = z.object({ impressions: z.int(), clicks: z.int(), conversions: z.int(), costs: Micros });

// A page has the same path: a request for JSON gets the call.
export const listCampaigns = defineCall({
  method: "GET",
  path: "/campaign",
  summary: "List the account's campaigns with their figures of the requested days, and what a campaign's form offers",
  access: "campaigns.read",
  query: inOrder(Dates.extend(SearchedPage.shape)),
  reply: z.object({
    campaigns: z.array(CampaignRow),
    totals: ListTotals,
    /** What deleted campaigns cost in these days; absent if nothing, or if campaigns are searched for. */
    deleted_costs: Micros.optional(),
    pager: Pager,
    ...CampaignChoices,
  }),
  sharesPath: true,
});

// So that `/campaign/add`, which this path matches too, opens the page of that address.
export const getCampaign = defineCall({
  method: "GET",
  path: "/campaign/{id}",
  sharesPath: true,
  summary: "Get a campaign as its form shows it",
  access: "campaigns.read",
  params: ById,
  reply: z.object({
    revision: Revision,
    campaign: z.object({
      ...CampaignFields.shape,
      // Saved under earlier limits, it must still open.
      bid: z.object({ type: z.literal("cpm"), value: Micros, daily: Micros }),
      uuid: Uuid,
      image_url: z.string().nullable(),
      status: z.enum(SWITCHED),
      campaign_status: z.enum(CAMPAIGN_STATUSES),
      status_reason: z.string().nullable(),
      creatives: z.array(
        CreativeFields.extend({
          c_id: Uuid,
          status: z.enum(CREATIVE_STATUSES),
          /** Why it was blocked; null otherwise. */
          reason: z.string().nullable(),
          image: UploadedFile,
        }),
      ),
    }),
    ...CampaignChoices,
  }),
});

const MOST_CODES = 900;

/** The regions of these countries, which a campaign can be for. */
export const campaignRegions = defineCall({
  method: "GET",
  path: "/campaign/regions.json",
  summary: "List the regions of countries that a campaign can be for, by ISO 3166-2 code",
  access: "campaigns.read",
  query: z.strictObject({
    /** ISO 3166-1 alpha-2, separated by commas. */
    country: z
      .string()
      .max(MOST_CODES)
      .regex(/^[A-Z]{2}(,[A-Z]{2})*$/, "Use two letters for each country, separated by commas"),
  }),
  /** Names by code, in the order of the names. */
  reply: z.object({ regions: z.record(z.string(), z.string()) }),
});

const Saved = z.object({ uuid: Uuid, redirect_to: z.string() });

export const addCampaign = defineCall({
  method: "POST",
  path: "/campaign/add",
  summary: "Add a campaign, once for each `key`. Its creatives wait for moderation",
  access: "campaigns.manage",
  query: OnceByKey.extend({
    /** It starts when it is added, whatever start its body has. */
    start: z.literal("now").optional(),
  }),
  body: CampaignBody,
  reply: Saved,
});

/** Creatives left out of the body are deleted; changed ones wait for moderation again. */
export const editCampaign = defineCall({
  method: "POST",
  path: "/campaign/{id}",
  summary: "Change a campaign; with the `revision` that was read, only if nobody else has changed it since",
  access: "campaigns.manage",
  params: ById,
  query: AtRevision,
  body: CampaignBody,
  reply: Saved,
});

const StatusQuery = z.strictObject({ status: z.enum([...SWITCHED, "delete"]) });

export const setCampaignStatus = defineCall({
  method: "POST",
  path: "/campaign/{id}/status",
  summary: "Start or freeze a campaign, or delete it",
  access: "campaigns.manage",
  params: ById,
  query: StatusQuery,
  reply: Done,
});

export const setCampaignStatusByGet = defineCall({
  ...setCampaignStatus,
  method: "GET",
  summary: "The same as the POST",
  changesState: true,
});

/** Looks up the advertised app in its store: send `url`, then `qid` until there are `items`. */
export const campaignAppInfo = defineCall({
  method: "POST",
  path: "/campaign/app_info",
  summary: "Look up the app that a campaign advertises",
  access: "campaigns.manage",
  body: z.strictObject({
    url: z.string().trim().max(500).optional(),
    qid: z.string().min(1).max(64).optional(),
  }),
  reply: z.object({
    qid: z.string().optional(),
    items: z.array(LookupItem.extend({ store_id: z.string(), bundle_id: z.string() })).optional(),
    status: z.enum(["working", "waiting", "done", "unreachable"]).optional(),
  }),
});

/** Takes a multipart form with one file. The bytes decide the type: PNG, JPEG or GIF; MP4, MOV or AVI. */
export const uploadCreative = defineCall({
  method: "POST",
  path: "/campaign/upload",
  summary: "Upload an image or a video for a creative",
  access: "campaigns.manage",
  takesFile: true,
  query: z.strictObject({ kind: z.enum(UPLOAD_KINDS).default("image") }),
  reply: UploadedFile,
});
