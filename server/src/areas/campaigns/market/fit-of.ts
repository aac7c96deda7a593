import { countryOfRegion, type ReachBody, SOLD_AS, soldMedia } from "@millrace/contract";
import { minuteOfDay } from "@millrace/units";
import { type FitParams, MOST_TIME } from "../../statistics/index.ts";

type Fields = Omit<ReachBody, "bid" | "limit">;

/** What decides whether a campaign with these fields fits a recorded auction, whenever it runs. */
export function fitOf(fields: Fields, isDemo: boolean): FitParams {
  const [ios, android] = [rangeOf(fields.ios), rangeOf(fields.android)];
  return {
    formats: [...SOLD_AS[fields.campaign_format]],
    media: [...soldMedia(fields.campaign_format, fields.has_headline)],
    demo: isDemo ? 1 : 0,
    startsAt: 0,
    endsAt: MOST_TIME,
    days: fields.days,
    fromMinute: minuteOfDay(fields.day_activity_from),
    toMinute: minuteOfDay(fields.day_activity_to),
    isIn: fields.geo_type === "in" ? 1 : 0,
    countries: fields.country,
    regions: fields.region,
    countriesInPart: [...new Set(fields.region.map(countryOfRegion))],
    platforms: fields.platform,
    iosMin: ios.min,
    iosMax: ios.max,
    androidMin: android.min,
    androidMax: android.max,
    wifiOnly: fields.network === "wifi" ? 1 : 0,
    sizes: fields.campaign_format === "banner" ? fields.sizes.map(({ width, height }) => `${width}x${height}`) : [],
  };
}

const rangeOf = ({ all, min, max }: Fields["ios"]) =>
  all ? { min: 0, max: 0 } : { min: Number(min), max: Number(max) };
