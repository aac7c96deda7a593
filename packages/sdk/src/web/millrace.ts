import type { Device } from "@millrace/contract";
import { type AdInfo, type AdRequest, createSdk, failureOf, type Host, type Outcome, SdkError } from "../core/index.ts";
import { browserDevice } from "./browser-device.ts";
import { browserHost } from "./browser-host.ts";
import type { DebuggerFile } from "../debugger/debugged-sdk.ts";
import { inlineAds, type InlinePlace } from "./inline-ads.ts";
import { logToConsole } from "./log-to-console.ts";
import type { Place } from "./place.ts";
import type { readConsent } from "./read-consent.ts";
import { loadFile, prepareAd, type WebOptions } from "./prepare-ad.ts";

export interface InitializeOptions extends Omit<WebOptions, "device"> {
  /** Values that the app knows better than the browser: advertising id, model. */
  device?: Partial<Device>;
}

/** How an ad ended that was shown. */
export type ShowOutcome = Outcome<AdInfo & { rewarded: boolean }>;

export interface LoadRequest extends Omit<AdRequest, "w" | "h"> {
  /** Width x height in CSS pixels. Full-screen ads have the window's by default, banners 320x50. */
  size?: `${number}x${number}`;
}

const host = browserHost();
const create = (on: Host) =>
  createSdk<Place>(
    on,
    (options) => prepareAd(options),
    logToConsole,
    ({ endpoint }) => loadFile(endpoint, "steps.mjs"),
  );
const sdk = create(host);
const inline = inlineAds(sdk, host);
/** The formats of the zones that were loaded. */
const formats = new Map<string, AdInfo["format"]>();
/** Frameworks also run an app's modules on the server that renders its pages. */
const isServer = () => typeof window === "undefined";
const ON_SERVER = { ok: false, code: "not_initialized", message: "There is no page here" } as const;
let isListening = false;
/** What the SDK was started with. */
let options: WebOptions | undefined;

function listen(): void {
  if (isListening) return;
  isListening = true;
  const onVisibility = () => {
    if (document.visibilityState === "hidden") {
      sdk.background();
      return;
    }
    sdk.foreground();
    inline.wakeAll();
  };
  document.addEventListener("visibilitychange", onVisibility);
  addEventListener("pagehide", () => sdk.background());
  addEventListener("pageshow", onVisibility);
  addEventListener("online", () => {
    sdk.online();
    inline.wakeAll(true);
  });
  onVisibility();
}

/**
 * Starts the SDK; again with other options, it starts over. Resolves within 2 seconds, after `initialized` or
 * `initializeFailed`. Ads can be loaded also after a failure: that starts the session that is missing.
 */
export async function initialize(given: InitializeOptions): Promise<Outcome<{ latestSdkVersion: string }>> {
  if (isServer()) return ON_SERVER;
  inline.stopAll();
  options = { ...given, consent: given?.consent ?? consentOfPage(given), device: browserDevice(given?.device) };
  const started = sdk.initialize(options);
  listen();
  return started;
}

/** Unless the app gives it: from the page's consent platform, whose reader is loaded only where there is one. */
const consentOfPage = (given: InitializeOptions) => async () => {
  if (!["__tcfapi", "__gpp", "__uspapi"].some((name) => name in window)) return {};
  const reader = await loadFile<{ readConsent: typeof readConsent }>(given.endpoint, "consent.mjs");
  return reader.readConsent();
};

/** Loads an ad for a zone. Resolves within its limit, after `loaded` or `loadFailed`; the server is asked once. */
export async function loadAd(request: LoadRequest): Promise<Outcome<AdInfo>> {
  if (isServer()) return ON_SERVER;
  const { size, ...rest } = request ?? {};
  const [w, h] = size === undefined ? defaultSize(rest) : size.split("x").map(Number);
  const loaded = await sdk.loadAd({ ...rest, w, h });
  if (loaded.ok) formats.set(loaded.zone, loaded.format);
  return loaded;
}

function defaultSize({ format }: Omit<LoadRequest, "size">): number[] {
  if (format === "banner") return [320, 50];
  if (format === "native" || format === "audio") return [];
  return [Math.max(1, innerWidth), Math.max(1, innerHeight)];
}

/** True if a loaded ad of this zone waits to be shown, and has not expired. */
export const { isAdReady } = sdk;

/**
 * Shows the zone's ad. A full-screen ad resolves once it is closed. With `into` it resolves once the ad is on the screen; a
 * banner's place loads ads by itself, and refreshes them until `destroyAd`.
 */
export async function showAd(zone: string, place: Place | InlinePlace = {}): Promise<ShowOutcome> {
  if (isServer()) return ON_SERVER;
  const { into } = place ?? {};
  const isInline = into instanceof HTMLElement;
  const refreshes = isInline && (formats.get(zone) ?? "banner") === "banner";
  const shown = refreshes
    ? await inline.start(zone, { ...place, into })
    : // Something else than an element, such as a look-up that found none, is no place.
      await sdk.showAd(zone, isInline || into === undefined ? place : null);
  if (!shown.ok) return shown;
  const { info, hidden } = shown;
  return { ok: true, ...info, rewarded: isInline ? false : await hidden };
}

/** Gives up what a zone loads, has loaded or shows. */
export function destroyAd(zone: string): void {
  inline.stop(zone);
  sdk.destroyAd(zone);
}

/**
 * Adds an adapter: line items of the dashboard that name it are asked for with it from the next request on. Returns a function
 * that removes it.
 */
export const { registerAdapter } = sdk;

/**
 * Opens the debugger over the page: what of the set-up works, the last auctions, and test ads of every format. `token` is
 * from the dashboard, and can also be entered there; without one, only what this page knows is shown. Resolves once it is open.
 */
export async function showDebugger(token?: string): Promise<Outcome<object>> {
  try {
    if (!options) throw new SdkError("not_initialized", "Call initialize first");
    const { openDebugger } = await loadFile<DebuggerFile>(options.endpoint, "debugger.mjs");
    openDebugger({ sdk, host, options, create }, token);
    return { ok: true };
  } catch (cause) {
    return { ok: false, ...failureOf(cause) };
  }
}

/** Returns a function that removes the listener. Errors that it throws become `callbackFailed`. */
export const { addListener } = sdk;

/** Removes all ads and stops everything. What is not delivered yet is sent at the next `initialize`. */
export function shutdown(): void {
  inline.stopAll();
  sdk.shutdown();
}
