import type { Device, Platform } from "@millrace/contract";
import { adHooks, type Holds, type ShowOutcome } from "@millrace/react/hooks";
import {
  type Adapter,
  type AdInfo,
  type AdRequest,
  type CoreOptions,
  createSdk,
  defined,
  type EventMap,
  type EventName,
  fetchTransport,
  type Host,
  type Log,
  type Outcome,
  randomId,
  strongRandom,
  systemClock,
  type Transport,
} from "@millrace/sdk/core";
import { orderSteps } from "@millrace/sdk/steps";
import { adViews } from "./ad-views.tsx";
import { bannerOf } from "./banner.tsx";
import { DebugReports } from "./debug-report.ts";
import { nativeDevice, nativePlatform } from "./native-device.ts";
import type { NativeModules } from "./native-modules.ts";
import { nativeStorage } from "./native-storage.ts";
import { type NativePlace, prepareNative, type Slot } from "./prepare-native.ts";
import { nativeHookOf } from "./use-native.ts";

export interface InitializeOptions extends Omit<CoreOptions, "device" | "platform"> {
  /** By default the one that React Native reports: iOS or Android. */
  platform?: Platform;
  /** Values that the app knows better than React Native: advertising id, model. */
  device?: Partial<Device>;
}

/** The SDK of an app. As on the web, no function throws, and no promise rejects. */
export type Millrace = ReturnType<typeof createMillrace>;

/** Makes the SDK of these modules. Call it once, outside of components. Tests put something `instead` of server and screen. */
export function createMillrace(modules: NativeModules, instead: { transport?: Transport; screen?: Slot } = {}) {
  const storage = nativeStorage(modules.AsyncStorage);
  const send = instead.transport ?? fetchTransport((...request) => fetch(...request));
  const reports = new DebugReports(send);
  const host: Host = {
    clock: systemClock,
    storage,
    // A message is stored on the device before it is sent, so that it is resent if the app ends before the answer.
    async transport(request) {
      await storage.written();
      const reply = await send(request);
      reports.heard(request, reply);
      return reply;
    },
    random: "crypto" in globalThis ? strongRandom : Math.random,
  };
  let screen = instead.screen ?? null;
  const track = (url: string) => void host.transport({ url, timeoutMs: 10_000 }).catch(() => {});
  const makeId = () => randomId(host.random);
  const sdk = createSdk<NativePlace>(
    host,
    prepareNative({ Linking: modules.Linking, screen: () => screen, makeId, track }),
    logToConsole,
    async () => ({ orderSteps }),
  );

  /** Called when the app comes back or its screen is free: places that are overdue show their next ad. */
  const wakers = new Set<() => void>();
  const wakeAll = () => {
    for (const wake of wakers) wake();
  };
  for (const type of ["hidden", "displayFailed"] as const) sdk.addListener(type, wakeAll);
  let starting: Promise<void> = Promise.resolve();
  let isListening = false;
  const isActive = () => modules.AppState.currentState === "active";

  function listen(): void {
    const follow = (isForeground: boolean) => {
      if (!isForeground) {
        sdk.background();
        return;
      }
      sdk.foreground();
      wakeAll();
    };
    if (!isListening) modules.AppState.addEventListener("change", (state) => follow(state === "active"));
    isListening = true;
    follow(isActive());
  }

  /** Starts the SDK. Resolves within 2 seconds, after `initialized` or `initializeFailed`. */
  async function initialize(options: InitializeOptions): Promise<Outcome<{ latestSdkVersion: string }>> {
    reports.startedAt(options?.endpoint);
    starting = storage.load();
    await starting;
    const platform = options?.platform ?? nativePlatform(modules.Platform);
    const started = sdk.initialize({ ...options, platform, device: nativeDevice(modules, options?.device) });
    listen();
    return started;
  }

  /** Loads an ad for a zone. A full-screen ad has the window's size, unless the request has one. */
  async function loadAd(request: AdRequest): Promise<Outcome<AdInfo>> {
    await starting;
    const { width, height } = modules.Dimensions.get("window");
    const isSized = request?.format === "native" || request?.format === "audio";
    const size = isSized ? {} : { w: Math.max(1, Math.round(width)), h: Math.max(1, Math.round(height)) };
    return sdk.loadAd({ ...size, ...defined(request) });
  }

  /** Shows the zone's ad over the app, on the `AdScreen`. Resolves once it is closed, or an audio ad is over. */
  async function showAd(zone: string, place: NativePlace = {}): Promise<ShowOutcome> {
    const shown = await sdk.showAd(zone, place);
    if (!shown.ok) return shown;
    return { ok: true, ...shown.info, rewarded: place.into === undefined && (await shown.hidden) };
  }

  const onSlot = (slot: Slot) => {
    screen = slot;
    return () => {
      if (screen === slot) screen = instead.screen ?? null;
    };
  };
  const addListener = <Name extends EventName>(type: Name, listener: (about: EventMap[Name]) => void) =>
    sdk.addListener(type, listener);
  const ads = {
    initialize,
    loadAd,
    showAd,
    addListener,
    /** True if a loaded ad of this zone waits to be shown, and has not expired. */
    isAdReady: (zone: string) => sdk.isAdReady(zone),
    /** Gives up what a zone loads, has loaded or shows. */
    destroyAd: (zone: string) => sdk.destroyAd(zone),
    /** Asks line items of the dashboard that name this adapter with it, from the next request on. Returns a function that removes it. */
    registerAdapter: (name: string, adapter: Adapter<NativePlace>) => sdk.registerAdapter(name, adapter),
    /**
     * What the platform knows of the app and its last ten auctions: approval, zones, partners, and each partner's result. `token` is
     * made in the dashboard. Your app shows it as it likes; see the help about the debugger.
     */
    debugReport: (token: string) => reports.ask(token),
    /** Removes all ads and stops everything. What is not delivered yet is sent at the next `initialize`. */
    shutdown: () => sdk.shutdown(),
  };
  // Components may be mounted before what the device has stored is read.
  const started: typeof sdk = {
    ...sdk,
    async loadAd(request) {
      await starting;
      return sdk.loadAd(request);
    },
  };
  const holds: Holds = new Map();
  const views = adViews(modules);
  return {
    ...ads,
    ...adHooks(ads, holds),
    useNative: nativeHookOf(started, holds),
    Banner: bannerOf({ sdk: started, holds, host, isActive, wakers, AdBox: views.AdBox }),
    /** The place of full-screen ads: the last child of the app's root. */
    AdScreen: () => views.AdScreen({ onSlot }),
  };
}

/** Failures are objects with a code, which consoles show. */
const logToConsole: Log = (level, text, data) => {
  // oxlint-disable-next-line no-console -- the app has asked for this level; `none` turns it off
  console[level](`Millrace: ${text}`, data);
};
