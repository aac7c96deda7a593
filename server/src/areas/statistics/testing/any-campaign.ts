import { CAMPAIGN_PLATFORMS } from "@millrace/contract";
import { type FitParams, MOST_TIME } from "../campaigns/campaign-fit.ts";

/** What a campaign for banners chooses that takes every device, country and hour. */
export const ANY_CAMPAIGN: FitParams = {
  formats: ["banner"],
  media: ["banner"],
  demo: 0,
  startsAt: 0,
  endsAt: MOST_TIME,
  days: [1, 2, 3, 4, 5, 6, 7],
  fromMinute: 0,
  toMinute: 1439,
  isIn: 0,
  countries: [],
  regions: [],
  countriesInPart: [],
  platforms: [...CAMPAIGN_PLATFORMS],
  iosMin: 0,
  iosMax: 0,
  androidMin: 0,
  androidMax: 0,
  wifiOnly: 0,
  sizes: [],
};
