import type { Format, Platform } from "@millrace/contract";
import { findCountry } from "./countries.ts";

/**
 * The price levels of the demo. The lab's bidders and the generated history both use them, so that the dashboard shows no step
 * where history ends and live traffic begins.
 */

/** The median bid of an average bidder on Android in the United States, in dollars CPM. */
export const BASE_CPM = {
  banner: 0.55,
  interstitial: 4.2,
  video: 5.6,
  rewarded: 9.4,
  native: 1.7,
  audio: 7.5,
} as const satisfies Record<Format, number>;

const PLATFORM_FACTOR = {
  android: 1,
  ios: 1.3,
  amazon: 0.85,
  androidtv: 1.5,
  tvos: 1.9,
  firetv: 1.8,
  tizentv: 1.6,
  roku: 2,
  others: 0.7,
} as const satisfies Record<Platform, number>;

/** For countries without demo devices. */
const UNKNOWN_COUNTRY_FACTOR = 0.08;

export const countryFactor = (country: string | undefined): number =>
  findCountry(country)?.priceFactor ?? UNKNOWN_COUNTRY_FACTOR;

export const platformFactor = (platform: Platform): number => PLATFORM_FACTOR[platform];

/** The median bid of an average bidder, in dollars CPM. */
export const medianCpm = (format: Format, country: string | undefined, platform: Platform): number =>
  BASE_CPM[format] * countryFactor(country) * platformFactor(platform);

/** Factors for devices without an advertising id, which get fewer and lower bids. */
export const UNTRACKED = { appetite: 0.32, priceFactor: 0.65 } as const;
