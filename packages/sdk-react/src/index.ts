import { addListener, destroyAd, isAdReady, loadAd, showAd } from "@millrace/sdk";
import { reactAds } from "./react-ads.ts";

export * from "@millrace/sdk";
export type { BannerProps } from "./banner.tsx";
export type { AdState, FullScreenAd, LoadOptions, RewardedAd, RewardedOutcome, ShowOptions } from "./hooks/index.ts";
export type { NativeAd, NativeState } from "./use-native.ts";

export const { Banner, useInterstitial, useRewarded, useNative } = reactAds({
  addListener,
  destroyAd,
  isAdReady,
  loadAd,
  showAd,
});
