export {
  addListener,
  destroyAd,
  initialize,
  isAdReady,
  loadAd,
  registerAdapter,
  showAd,
  showDebugger,
  shutdown,
} from "./millrace.ts";
export type { InitializeOptions, LoadRequest, ShowOutcome } from "./millrace.ts";
export type { InlinePlace } from "./inline-ads.ts";
export type { Place } from "./place.ts";
