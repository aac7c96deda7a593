import type { Format } from "./constants.ts";
import { TEXTS, capTooHighText } from "./texts.ts";

/** The formats of creatives and campaigns: an image fills the screen, a banner has one of the sizes, a video is played. */
export const CAMPAIGN_FORMATS = ["image", "banner", "video"] as const;
export type CampaignFormat = (typeof CAMPAIGN_FORMATS)[number];
export const CAMPAIGN_FORMAT_LABELS = { image: "Image", banner: "Banner", video: "Video" } as const satisfies Record<
  CampaignFormat,
  string
>;

/** The formats of the exchange's requests that each can fill, and the media that a place must take for it. */
export const SOLD_AS: Record<CampaignFormat, readonly Format[]> = {
  image: ["interstitial", "native"],
  banner: ["banner"],
  video: ["video", "rewarded", "interstitial"],
};
export type SoldMedium = "banner" | "video" | "native";
export const SOLD_MEDIA: Record<CampaignFormat, readonly SoldMedium[]> = {
  image: ["banner", "native"],
  banner: ["banner"],
  video: ["video"],
};

/** The media that a campaign can fill: a native ad needs an image with a headline. */
export const soldMedia = (format: CampaignFormat, hasHeadline: boolean): readonly SoldMedium[] =>
  SOLD_MEDIA[format].filter((medium) => medium !== "native" || hasHeadline);

/** Seconds after which a video can be skipped; 0 for never. */
export const SKIP_TIMERS = [0, 5, 10, 15] as const;

/** The sizes of banners in pixels; the first is the default. */
export const BANNER_SIZES = [
  { width: 300, height: 50 },
  { width: 320, height: 50 },
  { width: 320, height: 100 },
  { width: 300, height: 250 },
  { width: 468, height: 60 },
  { width: 728, height: 90 },
] as const;

export const CAMPAIGN_PLATFORMS = ["iphone", "ipad", "android"] as const;
export type CampaignPlatform = (typeof CAMPAIGN_PLATFORMS)[number];
export const NETWORKS = ["any", "wifi"] as const;
export const GEO_TYPES = ["in", "not_in"] as const;
/** The period and the holder of a frequency cap. */
export const CAP_PERIODS = ["day", "hour"] as const;
export const CAP_PERS = ["user", "all"] as const;
export const MOST_CAPS = 4;

/** Major versions that can be targeted, oldest first. */
export const OS_VERSIONS = {
  ios: ["12", "13", "14", "15", "16", "17", "18", "26"],
  android: ["5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16"],
} as const;

/** CPM in micro-dollars. */
export const LEAST_BID = 250_000;
/** Micro-dollars for a UTC day. */
export const LEAST_DAILY_BUDGET = 250_000_000;

/** How long a campaign runs at most. */
const MOST_YEARS = 5;

/** Limits on an account: campaigns without deleted ones, uploaded files, and their bytes together. */
export const CAMPAIGN_LIMITS = { campaigns: 500, uploads: 2000, uploadBytes: 4 * 1024 ** 3 } as const;

interface Cap {
  impressions: number;
  period: (typeof CAP_PERIODS)[number];
  per: (typeof CAP_PERS)[number];
}

/** From the widest cap to the narrowest. */
const CAP_ORDER = ["all/day", "all/hour", "user/day", "user/hour"];
const rankOf = ({ per, period }: Cap): number => CAP_ORDER.indexOf(`${per}/${period}`);

interface Rules {
  start_date: string;
  start_time: string;
  end_date: string | null;
  end_time: string;
  day_activity_from: string;
  day_activity_to: string;
  geo_type: (typeof GEO_TYPES)[number];
  country: readonly string[];
  ios: { all: boolean; min: string; max: string };
  android: { all: boolean; min: string; max: string };
  limit: readonly Cap[];
}

/** The same for countries and versions alone. */
export function targetingFaults({
  geo_type,
  country,
  ...versions
}: Pick<Rules, "geo_type" | "country" | "ios" | "android">): Record<string, string> {
  const faults: Record<string, string> = {};
  if (geo_type === "in" && country.length === 0) faults["country"] = TEXTS.chooseCountry;
  for (const os of ["ios", "android"] as const) {
    const { all, min, max } = versions[os];
    if (!all && Number(max) <= Number(min)) faults[`${os}.max`] = TEXTS.maxVersion;
  }
  return faults;
}

/** A message for each field that breaks a rule between fields, by its path. */
export function campaignFaults(fields: Rules): Record<string, string> {
  const { start_date, start_time, end_date, end_time, day_activity_from, day_activity_to } = fields;
  const faults: Record<string, string> = {};
  if (end_date !== null && `${end_date}T${end_time}` <= `${start_date}T${start_time}`)
    faults["end_date"] = TEXTS.endBeforeStart;
  if (day_activity_to <= day_activity_from) faults["day_activity_to"] = TEXTS.endTimeBeforeStart;
  Object.assign(faults, targetingFaults(fields));
  for (const [index, cap] of fields.limit.entries()) {
    const message = capFault(fields.limit, cap, index);
    if (message !== null) faults[`limit.${index}.impressions`] = message;
  }
  return faults;
}

/** Whether the campaign starts in the future. Required of new campaigns only. `now` is in epoch milliseconds. */
export const startsAfter = (
  { start_date, start_time }: Pick<Rules, "start_date" | "start_time">,
  now: number,
): boolean => Date.parse(`${start_date}T${start_time}:00Z`) > now;

/**
 * Whether the campaign ends too long after its start, or after `now` if that is later. Asked of new ends only: a stored
 * campaign keeps the one that it has.
 */
export function endsTooLate({ start_date, end_date }: Pick<Rules, "start_date" | "end_date">, now: number): boolean {
  if (end_date === null) return false;
  const latest = new Date(Math.max(Date.parse(start_date), now));
  return Date.parse(end_date) > latest.setUTCFullYear(latest.getUTCFullYear() + MOST_YEARS);
}

/** A cap that repeats an earlier one, or allows more than the next wider one. */
function capFault(caps: readonly Cap[], cap: Cap, index: number): string | null {
  if (caps.slice(0, index).some((earlier) => rankOf(earlier) === rankOf(cap))) return TEXTS.duplicateCaps;
  const wider = caps.filter((other) => rankOf(other) < rankOf(cap)).toSorted((a, b) => rankOf(b) - rankOf(a))[0];
  return wider !== undefined && cap.impressions > wider.impressions ? capTooHighText(wider.period, wider.per) : null;
}
