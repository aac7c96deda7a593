import type { Host, Sdk } from "../core/index.ts";
import type { BrowserHost } from "../web/browser-host.ts";
import type { Place } from "../web/place.ts";
import type { WebOptions } from "../web/prepare-ad.ts";

/** The SDK of the page, as the debugger sees it. */
export interface DebuggedSdk {
  sdk: Sdk<Place>;
  host: BrowserHost;
  options: WebOptions;
  /** Makes another SDK with the same renderers, for test ads that the app hears nothing of. */
  create(host: Host): Sdk<Place>;
}

/** The one export of `debugger.mjs` that the SDK uses. */
export interface DebuggerFile {
  openDebugger(of: DebuggedSdk, token?: string): void;
}
