import type { PluginListenerHandle } from "@capacitor/core";
import type {
  AdInfo,
  EventMap,
  EventName,
  InitializeOptions as WebOptions,
  LoadRequest,
  Outcome,
  ShowOutcome,
} from "@millrace/sdk";

export interface InitializeOptions extends Omit<WebOptions, "platform"> {
  /** By default the one that Capacitor tells: Android, iOS, or others for the web. */
  platform?: WebOptions["platform"];
}

export interface BannerOptions {
  zone: string;
  /** Width x height in CSS pixels; 320x50 by default. */
  size?: `${number}x${number}`;
  /** Seconds until the next ad, 0 for never; the dashboard's setting by default. */
  refresh?: number;
  /** Over the page, inside the safe area; `bottom` by default. */
  position?: "top" | "bottom";
  /** Instead of a position: the id of the element to put it in. */
  into?: string;
}

/** The plugin's calls. As in the web SDK, none rejects: each resolves to `{ ok: true, … }` or `{ ok: false, code, message }`. */
export interface MillracePlugin {
  /** Starts the SDK. Settles within 2 seconds. */
  initialize(options: InitializeOptions): Promise<Outcome<{ latestSdkVersion: string }>>;
  /** Loads an ad for a zone. Asks the server once. */
  loadAd(request: LoadRequest): Promise<Outcome<AdInfo>>;
  isAdReady(options: { zone: string }): Promise<{ ready: boolean }>;
  /** Shows a loaded full-screen ad, and resolves once it is closed. */
  showAd(options: { zone: string; skipAfter?: number }): Promise<ShowOutcome>;
  /** Shows a banner that loads its ads itself, and refreshes them while it is visible. Resolves with the first. */
  showBanner(options: BannerOptions): Promise<ShowOutcome>;
  /** Gives up what a zone loads, has loaded or shows, and removes its banner's place. */
  destroyAd(options: { zone: string }): Promise<void>;
  /** Opens the debugger over the page, with a token of the dashboard or without. Resolves once it is open. */
  showDebugger(options?: { token?: string }): Promise<Outcome<object>>;
  addListener<Name extends EventName>(
    event: Name,
    listener: (about: EventMap[Name]) => void,
  ): Promise<PluginListenerHandle>;
  removeAllListeners(): Promise<void>;
}
