import { registerPlugin } from "@capacitor/core";
import type { MillracePlugin } from "./definitions.ts";
import { MillraceWeb } from "./millrace-web.ts";

export type { BannerOptions, InitializeOptions, MillracePlugin } from "./definitions.ts";
export type {
  AdInfo,
  ErrorCode,
  EventMap,
  EventName,
  Failure,
  LoadRequest,
  Outcome,
  Revenue,
  ShowOutcome,
} from "@millrace/sdk";

const implementation = new MillraceWeb();

/** One implementation on all platforms: a Capacitor app is a page, in which the web SDK runs. */
export const Millrace = registerPlugin<MillracePlugin>("Millrace", {
  web: implementation,
  android: implementation,
  ios: implementation,
});
