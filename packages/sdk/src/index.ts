export * from "./web/index.ts";
export type { ErrorCode, Listeners, Revenue, SdkError, SdkEvent } from "./core/index.ts";
export { VERSION } from "./core/index.ts";
