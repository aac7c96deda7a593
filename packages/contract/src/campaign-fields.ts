import { z } from "zod";
import {
  CAMPAIGN_FORMATS,
  CAMPAIGN_PLATFORMS,
  CAP_PERIODS,
  CAP_PERS,
  GEO_TYPES,
  LEAST_BID,
  LEAST_DAILY_BUDGET,
  MOST_CAPS,
  NETWORKS,
  OS_VERSIONS,
  SKIP_TIMERS,
  campaignFaults,
} from "./campaign-rules.ts";
import { Micros, Uuid } from "./fields.ts";
import { CLICK_WINDOW_DAYS, EVENT_NAME, HOLD_OUT, INSTALL, ROTATIONS, VIEW_WINDOW_HOURS } from "./measurement-rules.ts";
import { nameField } from "./name-field.ts";
import { TEXTS } from "./texts.ts";
import { urlOf } from "./url-of.ts";

/** The shape of a region's code. ISO 3166-2: the country's code comes first. */
export const REGION = /^[A-Z]{2}-[A-Z0-9]{1,3}$/;
export const countryOfRegion = (region: string): string => region.slice(0, 2);
const MOST_REGIONS = 500;

const MOST_MONEY = 1_000_000_000_000;

/** Its host contains no macro, so that the site that opens is the one that was moderated and that publishers can block. */
function isWebAddress(text: string): boolean {
  const url = /^https?:\/\//i.test(text) ? urlOf(text) : null;
  return url !== null && !/[{}]/.test(url.hostname);
}

/** A host that is a domain name, and neither an IP address nor `localhost`. */
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?\.)+[a-z][a-z0-9-]+\.?$/;
/**
 * Whether auctions accept the page's host as an advertiser's domain, which publishers block by. A text that is not an address has
 * a fault already.
 */
const namesDomain = (text: string): boolean => !isWebAddress(text) || DOMAIN.test(new URL(text).hostname);

export const WebAddress = z
  .string()
  .trim()
  .min(3, TEXTS.invalidUrl)
  .max(100, TEXTS.invalidUrl)
  .refine(isWebAddress, TEXTS.invalidUrl);
/** The address of a page that an ad opens. */
export const PageAddress = WebAddress.refine(namesDomain, TEXTS.domainNeeded);
/** A link of an attribution provider, which carries many macros. */
const TrackingLink = z.union([
  z.literal(""),
  z.string().trim().max(1000, TEXTS.linkTooLong).refine(isWebAddress, TEXTS.invalidUrl),
]);
const StoreId = z
  .string()
  .trim()
  .max(100, TEXTS.invalidId)
  .regex(/^[a-z0-9.]+$/, TEXTS.invalidId);
/** Packages of Google Play tell upper from lower case. */
const AppStoreId = z
  .string()
  .trim()
  .max(100, TEXTS.invalidId)
  .regex(/^[\w.]+$/, TEXTS.invalidId);
const Clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, TEXTS.timeFormat);

/** A range of major versions, or all of them. */
export const versionsOf = (os: keyof typeof OS_VERSIONS) =>
  z.strictObject({ all: z.boolean(), min: z.enum(OS_VERSIONS[os]), max: z.enum(OS_VERSIONS[os]) });

export const FrequencyCap = z.strictObject({
  impressions: z.int().min(1, "Use a whole number above 0").max(1_000_000_000),
  period: z.enum(CAP_PERIODS, TEXTS.required),
  per: z.enum(CAP_PERS, TEXTS.required),
});
export type FrequencyCap = z.infer<typeof FrequencyCap>;

/** A creative as entered; `c_id` is null for a new one. */
export const CreativeFields = z.strictObject({
  c_id: Uuid.nullable().default(null),
  format: z.enum(CAMPAIGN_FORMATS),
  store_id: StoreId,
  /** The country of the store in which the app is, ISO 3166-1 alpha-2; empty for any. */
  country: z.union([z.literal(""), z.string().regex(/^[A-Z]{2}$/)]),
  /** The words of the button. */
  cta: nameField(25).default(""),
  click_url: PageAddress,
  /** Fetched with each counted impression; empty for none. */
  tracking_url: z.union([z.literal(""), WebAddress]).default(""),
  /** The headline of an image that is sold as a native ad; an image without one is not. */
  title: nameField(50).default(""),
  /** When a video may be skipped. */
  skip_timer: z.literal(SKIP_TIMERS).default(0),
  /** The address of its image or video, which the upload returned. */
  image_url: z.string().min(1, TEXTS.required).max(300),
});
export type CreativeFields = z.infer<typeof CreativeFields>;

const creativesLike = <Creative extends z.ZodType>(creative: Creative) =>
  z.array(creative).min(1, TEXTS.addCreative).max(50, "Use at most 50 creatives");

/** What an advertiser enters. Days and times are UTC, amounts micro-dollars. */
export const CampaignFields = z.strictObject({
  name: nameField(100).min(1, TEXTS.required),
  bundle_id: z.string().trim().min(1, TEXTS.required).max(200),
  store_id: AppStoreId,
  app_platform: z.enum(["ios", "android"]),
  /** The app's page in its store. */
  site: z.union([z.literal(""), WebAddress]).default(""),
  campaign_format: z.enum(CAMPAIGN_FORMATS).default("image"),
  /** The most that it spends in all; 0 for no limit. */
  budget: Micros.min(0, TEXTS.budgetNeeded).max(MOST_MONEY, TEXTS.budgetNeeded),
  bid: z.strictObject({
    type: z.literal("cpm"),
    value: Micros.min(LEAST_BID, TEXTS.bidNeeded).max(1_000_000_000, TEXTS.bidNeeded),
    /** The most that it spends on a UTC day. */
    daily: Micros.min(LEAST_DAILY_BUDGET, TEXTS.bidNeeded).max(MOST_MONEY, TEXTS.bidNeeded),
  }),
  start_date: z.iso.date(TEXTS.dateFormat),
  start_time: Clock,
  /** Without an end it runs until it is stopped or its budget is spent. */
  end_date: z.iso.date(TEXTS.dateFormat).nullable(),
  end_time: Clock,
  /** Days of the week as in ISO 8601: Monday is 1. */
  days: z
    .array(z.int().min(1).max(7))
    .min(1, "Choose at least one day")
    .transform((days) => [...new Set(days)].toSorted((a, b) => a - b)),
  day_activity_from: Clock,
  day_activity_to: Clock,
  network: z.enum(NETWORKS),
  geo_type: z.enum(GEO_TYPES),
  /** ISO 3166-1 alpha-2. None with `not_in` means every country. */
  country: z.array(z.string().regex(/^[A-Z]{2}$/)).max(300),
  /** ISO 3166-2. A country with some of its regions means only these; one without means all of it. */
  region: z.array(z.string().regex(REGION)).max(MOST_REGIONS, `Use at most ${MOST_REGIONS} regions`),
  platform: z.array(z.enum(CAMPAIGN_PLATFORMS)).min(1, "Choose at least one platform"),
  ios: versionsOf("ios"),
  android: versionsOf("android"),
  /** Frequency caps; none means no limits. */
  limit: z.array(FrequencyCap).max(MOST_CAPS, `Use at most ${MOST_CAPS} limits`),
  /** Where clicks lead instead of the creatives' addresses, with macros; empty for none. */
  click_link: TrackingLink.refine(namesDomain, TEXTS.domainNeeded).default(""),
  /** Fetched with each counted impression of a creative without such an address of its own, with macros; empty for none. */
  view_link: TrackingLink.default(""),
  /** The event that counts as a conversion. */
  conversion_event: z.string().trim().regex(EVENT_NAME, "Use letters, digits and _ . : -").default(INSTALL),
  /** How long after a click a conversion counts, in days. */
  click_window: z
    .int()
    .min(CLICK_WINDOW_DAYS.least, "Use 1 to 30 days")
    .max(CLICK_WINDOW_DAYS.most, "Use 1 to 30 days")
    .default(CLICK_WINDOW_DAYS.usual),
  /** How long after an impression without a click, in hours. */
  view_window: z
    .int()
    .min(VIEW_WINDOW_HOURS.least, "Use 1 to 24 hours")
    .max(VIEW_WINDOW_HOURS.most, "Use 1 to 24 hours")
    .default(VIEW_WINDOW_HOURS.usual),
  /** How its creatives are rotated: evenly, or learning which is clicked more often. */
  rotation: z.enum(ROTATIONS).default("even"),
  /** The share of impressions that stays even while it learns, in percent. */
  hold_out: z
    .int()
    .min(HOLD_OUT.least, "Use 5 to 50 percent")
    .max(HOLD_OUT.most, "Use 5 to 50 percent")
    .default(HOLD_OUT.usual),
  creatives: creativesLike(CreativeFields),
});
export type CampaignFields = z.infer<typeof CampaignFields>;

/** Refuses regions of countries that are not among the campaign's. */
export function refuseStrayRegions(
  { country, region = [] }: { country: readonly string[]; region?: readonly string[] | undefined },
  issues: z.RefinementCtx,
): void {
  if (region.some((code) => !country.includes(countryOfRegion(code))))
    issues.addIssue({ code: "custom", path: ["region"], message: "Choose the countries of these regions too" });
}

/**
 * The fields and the rules between them. Clients that know nothing of regions and of stores' countries leave both out: an
 * edit keeps what there is, a new campaign or creative has none.
 */
export const CampaignBody = CampaignFields.extend({
  region: CampaignFields.shape.region.optional(),
  creatives: creativesLike(CreativeFields.partial({ country: true })),
}).superRefine((fields, issues) => {
  for (const [path, message] of Object.entries(campaignFaults(fields)))
    issues.addIssue({ code: "custom", path: path.split("."), message });
  refuseStrayRegions(fields, issues);
});
