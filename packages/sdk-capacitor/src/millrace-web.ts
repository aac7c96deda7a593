import { Capacitor, type PluginListenerHandle } from "@capacitor/core";
import * as webSdk from "@millrace/sdk";
import type { AdInfo, EventMap, EventName, LoadRequest, Outcome, ShowOutcome } from "@millrace/sdk";
import type { BannerOptions, InitializeOptions, MillracePlugin } from "./definitions.ts";

/** What the plugin needs of the web SDK. */
export type WebSdk = Pick<
  typeof webSdk,
  "initialize" | "loadAd" | "isAdReady" | "showAd" | "destroyAd" | "showDebugger" | "addListener"
>;

/** The plugin's calls by the web SDK, which runs in the page: in browsers, and in the web views of Android and iOS. */
export class MillraceWeb implements MillracePlugin {
  readonly #sdk: WebSdk;
  /** The elements that were made for banners, by zone. */
  readonly #places = new Map<string, HTMLElement>();
  readonly #listeners = new Set<() => void>();

  constructor(sdk: WebSdk = webSdk) {
    this.#sdk = sdk;
  }

  initialize(options: InitializeOptions): Promise<Outcome<{ latestSdkVersion: string }>> {
    this.#removePlaces();
    return this.#sdk.initialize({ ...options, platform: options.platform ?? platformOfApp() });
  }

  loadAd(request: LoadRequest): Promise<Outcome<AdInfo>> {
    return this.#sdk.loadAd(request);
  }

  async isAdReady({ zone }: { zone: string }): Promise<{ ready: boolean }> {
    return { ready: this.#sdk.isAdReady(zone) };
  }

  showAd({ zone, ...place }: { zone: string; skipAfter?: number }): Promise<ShowOutcome> {
    return this.#sdk.showAd(zone, place);
  }

  async showBanner({ zone, position = "bottom", into: id, ...place }: BannerOptions): Promise<ShowOutcome> {
    const into = id === undefined ? this.#placeAt(zone, position) : document.getElementById(id);
    if (!into) return { ok: false, code: "options", message: `there is no element with the id ${id}` };
    return this.#sdk.showAd(zone, { size: "320x50", ...place, into });
  }

  async destroyAd({ zone }: { zone: string }): Promise<void> {
    this.#sdk.destroyAd(zone);
    this.#places.get(zone)?.remove();
    this.#places.delete(zone);
  }

  showDebugger({ token }: { token?: string } = {}): Promise<Outcome<object>> {
    return this.#sdk.showDebugger(token);
  }

  async addListener<Name extends EventName>(
    event: Name,
    listener: (about: EventMap[Name]) => void,
  ): Promise<PluginListenerHandle> {
    const unlisten = this.#sdk.addListener(event, listener);
    this.#listeners.add(unlisten);
    return {
      remove: async () => {
        unlisten();
        this.#listeners.delete(unlisten);
      },
    };
  }

  async removeAllListeners(): Promise<void> {
    for (const unlisten of this.#listeners) unlisten();
    this.#listeners.clear();
  }

  /** A place over the page, inside the safe area. A zone has one. */
  #placeAt(zone: string, position: "top" | "bottom"): HTMLElement {
    const place = this.#places.get(zone) ?? document.createElement("div");
    Object.assign(place.style, {
      position: "fixed",
      left: "50%",
      transform: "translateX(-50%)",
      zIndex: "2147483000",
      top: position === "top" ? "env(safe-area-inset-top, 0px)" : "",
      bottom: position === "bottom" ? "env(safe-area-inset-bottom, 0px)" : "",
    });
    if (!place.isConnected) document.body.append(place);
    this.#places.set(zone, place);
    return place;
  }

  #removePlaces(): void {
    for (const place of this.#places.values()) place.remove();
    this.#places.clear();
  }
}

function platformOfApp(): "android" | "ios" | "others" {
  const platform = Capacitor.getPlatform();
  return platform === "android" || platform === "ios" ? platform : "others";
}
