export * from "./web/index.ts";
export type { NativeAssets } from "./renderers/native-assets.ts";
export { VERSION } from "./core/index.ts";
export type {
  Adapter,
  AdapterAd,
  AdapterRequest,
  AdInfo,
  ErrorCode,
  EventMap,
  EventName,
  Failure,
  LogLevel,
  Outcome,
  Revenue,
  SdkEvent,
} from "./core/index.ts";
