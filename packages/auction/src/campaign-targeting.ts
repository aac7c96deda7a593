import { type CampaignPlatform, countryOfRegion, SOLD_AS, SOLD_MEDIA } from "@millrace/contract";
import { bannerTakes, type Imp } from "@millrace/openrtb";
import type { DeviceFacts, InhouseTargeting, Targeting } from "./input.ts";
import type { Offer } from "./offers.ts";
import type { TargetingReason } from "./reasons.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** The minute of the UTC day. Days have 1,440 of them: a change of local clocks is none of UTC's. */
const minuteOf = (at: number): number => Math.floor((((at % DAY_MS) + DAY_MS) % DAY_MS) / MINUTE_MS);
/** ISO 8601's day of the week in UTC; the first day of the epoch was a Thursday. */
const weekdayOf = (at: number): number => ((((Math.floor(at / DAY_MS) + 3) % 7) + 7) % 7) + 1;

/** Why a campaign does not run at a moment (epoch milliseconds). */
export function scheduleRefusal(targeting: Targeting, at: number): TargetingReason | undefined {
  if (at < targeting.startsAt) return "not_started";
  if (targeting.endsAt !== null && at >= targeting.endsAt) return "over";
  const minute = minuteOf(at);
  const isOn = minute >= targeting.fromMinute && minute <= targeting.toMinute;
  return isOn && targeting.days.includes(weekdayOf(at)) ? undefined : "off_hours";
}

/**
 * Why a campaign does not want a device: the first reason in the order of the fields. An unknown fact is within no limit; an
 * unknown country is neither among those wanted nor among those excluded, and an unknown region is refused by both.
 */
export function deviceRefusal(
  targeting: Targeting,
  { country, region, campaignPlatform, osVersion, network }: DeviceFacts,
): TargetingReason | undefined {
  const elsewhere = geographyRefusal(targeting, country, region ?? null);
  if (elsewhere !== undefined) return elsewhere;
  if (!campaignPlatform || !targeting.platforms.includes(campaignPlatform)) return "platform";
  if (isOtherVersion(targeting, campaignPlatform, osVersion)) return "os_version";
  return targeting.wifiOnly && network !== "wifi" ? "network" : undefined;
}

/**
 * Why an in-house campaign does not want an imp of a device. Its apps are chosen by their owner, so every platform is wanted;
 * versions are limits on phones and tablets alone.
 */
export function inhouseRefusal(
  targeting: InhouseTargeting,
  { country, campaignPlatform, osVersion }: DeviceFacts,
): TargetingReason | undefined {
  const elsewhere = geographyRefusal(targeting, country, null);
  if (elsewhere !== undefined) return elsewhere;
  return campaignPlatform && isOtherVersion(targeting, campaignPlatform, osVersion) ? "os_version" : undefined;
}

/** Why an in-house campaign has no ad for an imp. Whether its video is as the place wants it is asked after that. */
export const inhousePlaceRefusal = (
  { formats, videoFormats = [] }: Pick<InhouseTargeting, "formats" | "videoFormats">,
  { format, imp }: Pick<Offer, "imp" | "format">,
): TargetingReason | undefined => {
  const takesImage = imp.banner !== undefined && formats.includes(format);
  return takesImage || (imp.video !== undefined && videoFormats.includes(format)) ? undefined : "format";
};

/**
 * Within a country of which only some regions are named, an unknown region is none of those wanted. Nor is it known not to be
 * one of those excluded, where the ad must not be shown.
 */
function geographyRefusal(
  { geo, countries, regions = [] }: Pick<Targeting, "geo" | "countries" | "regions">,
  country: string | null,
  region: string | null,
): TargetingReason | undefined {
  const isNamed = country !== null && countries.includes(country);
  const isInPart = isNamed && regions.some((one) => countryOfRegion(one) === country);
  if (!isInPart) return isNamed === (geo === "in") ? undefined : "geography";
  if (region === null) return "region_unknown";
  return regions.includes(region) === (geo === "in") ? undefined : "region";
}

function isOtherVersion(
  { ios, android }: Pick<Targeting, "ios" | "android">,
  platform: CampaignPlatform,
  osVersion: string | null,
): boolean {
  const range = platform === "android" ? android : ios;
  if (range === null) return false;
  const major = osMajorOf(osVersion);
  return major === null || major < range.min || major > range.max;
}

/** Why a campaign has no ad for an imp. Whether one of its videos is as the place wants them is asked once it is found. */
export function placeRefusal(
  { format, sizes }: Pick<Targeting, "format" | "sizes">,
  offer: Pick<Offer, "imp" | "format">,
): TargetingReason | undefined {
  const isSold = SOLD_AS[format].includes(offer.format);
  if (!isSold || SOLD_MEDIA[format].every((medium) => offer.imp[medium] === undefined)) return "format";
  return format !== "banner" || sizes.some((size) => takesSize(offer.imp, size)) ? undefined : "size";
}

/** Whether an imp takes a banner of this size; one without sizes takes all. */
export const takesSize = (imp: Imp, size: { w: number; h: number }): boolean => bannerTakes(size, imp);

/** The major version of an operating system, such as 17 of `17.4.1`; null if unknown. */
export function osMajorOf(version: string | null): number | null {
  const major = /^\s*(\d{1,5})(?!\d)/.exec(version ?? "")?.[1];
  return major === undefined ? null : Number(major);
}
