import { bannerOf, type BannerSdk } from "./banner.tsx";
import { adHooks, type AdsSdk, type Holds } from "./hooks/index.ts";
import { nativeHookOf, type NativeSdk } from "./use-native.ts";

/** The components and hooks of one SDK. */
export function reactAds(sdk: AdsSdk & BannerSdk & NativeSdk) {
  const holds: Holds = new Map();
  return { Banner: bannerOf(sdk, holds), useNative: nativeHookOf(sdk, holds), ...adHooks(sdk, holds) };
}
