export { init } from "./millrace.ts";
export type { InitOptions, Millrace } from "./millrace.ts";
export type { Banner, BannerOptions } from "./show-banner.ts";
export type { InterstitialOptions, InterstitialResult } from "./show-interstitial.ts";
