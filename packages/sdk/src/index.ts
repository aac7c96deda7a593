export * from "./web/index.ts";
export type { NativeAssets } from "./renderers/native-assets.ts";
export { VERSION } from "./core/index.ts";
export type {
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
