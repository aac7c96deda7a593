export { createMillrace } from "./create-millrace.ts";
export type { InitializeOptions, Millrace } from "./create-millrace.ts";
export type { BannerProps } from "./banner.tsx";
export type { AsyncStorage, NativeModules } from "./native-modules.ts";
export type { NativePlace, Slot } from "./prepare-native.ts";
export type { DebugReply as DebugReport } from "@millrace/sdk/debug-reply";
export type { NativeAd } from "./use-native.ts";
export type {
  AdState,
  FullScreenAd,
  LoadOptions,
  RewardedAd,
  RewardedOutcome,
  ShowOutcome,
} from "@millrace/react/hooks";
export type { AdInfo, AdRequest, ErrorCode, EventMap, EventName, Failure, Outcome, Revenue } from "@millrace/sdk/core";
