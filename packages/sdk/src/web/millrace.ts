import type { Device } from "@millrace/contract";
import {
  emitter,
  fetchTransport,
  startMediation,
  strongRandom,
  systemClock,
  type Host,
  type MediationOptions,
} from "../core/index.ts";
import { browserDevice } from "./browser-device.ts";
import { browserStorage } from "./browser-storage.ts";
import { showBanner, type Banner, type BannerOptions } from "./show-banner.ts";
import { showInterstitial, type InterstitialOptions, type InterstitialResult } from "./show-interstitial.ts";

export interface InitOptions extends Omit<MediationOptions, "device"> {
  /** Values that the app knows better than the browser: advertising id, model. */
  device?: Partial<Device>;
  /** The frame page (`/sdk/frame.html` at the endpoint), for pages whose Content-Security-Policy blocks ads. */
  frameUrl?: string;
}

export interface Millrace {
  showBanner(element: HTMLElement, options: BannerOptions): Banner;
  showInterstitial(options: InterstitialOptions): Promise<InterstitialResult>;
  /** Removes everything. Undelivered beacons are sent at the next start. */
  destroy(): void;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const ZONE = /^(?!\.{1,2}$)[A-Za-z0-9_.:-]{1,64}$/;

/** Starts the SDK. Never throws and never blocks: wrong options and failures are reported to `onError`. */
export function init(options: InitOptions): Millrace {
  const wrong = wrongOption(options);
  if (wrong) {
    emitter(options).error("options", wrong);
    return { showBanner: () => ({ destroy() {} }), showInterstitial: async () => ({ shown: false }), destroy() {} };
  }
  const emit = emitter(options);
  const host: Host = {
    clock: systemClock,
    storage: browserStorage(),
    transport: fetchTransport((...request) => fetch(...request)),
    random: strongRandom,
  };
  const mediation = startMediation({ ...options, device: browserDevice(options.device) }, host);
  const banners = new Set<ReturnType<typeof showBanner>>();

  const onVisibility = () => {
    if (document.visibilityState === "hidden") {
      mediation.background();
      return;
    }
    mediation.foreground();
    for (const banner of banners) banner.wake();
  };
  const onOnline = () => {
    mediation.online();
    for (const banner of banners) banner.wake();
  };
  const onLeave = () => mediation.background();
  document.addEventListener("visibilitychange", onVisibility);
  window.addEventListener("pagehide", onLeave);
  window.addEventListener("pageshow", onVisibility);
  window.addEventListener("online", onOnline);
  onVisibility();

  return {
    showBanner(element, banner) {
      if (!(element instanceof HTMLElement) || !ZONE.test(banner.zone)) {
        emit.error("options", element instanceof HTMLElement ? zoneText(banner.zone) : "showBanner needs an element");
        return { destroy() {} };
      }
      const shown = showBanner(mediation, host, element, banner, options.frameUrl);
      banners.add(shown);
      return {
        destroy() {
          banners.delete(shown);
          shown.destroy();
        },
      };
    },
    async showInterstitial(interstitial) {
      if (!ZONE.test(interstitial.zone)) {
        emit.error("options", zoneText(interstitial.zone));
        return { shown: false };
      }
      return showInterstitial(mediation, interstitial, options.frameUrl);
    },
    destroy() {
      document.removeEventListener("visibilitychange", onVisibility);
      window.removeEventListener("pagehide", onLeave);
      window.removeEventListener("pageshow", onVisibility);
      window.removeEventListener("online", onOnline);
      for (const banner of banners) banner.destroy();
      mediation.close();
    },
  };
}

const zoneText = (zone: unknown) => `zone must be 1 to 64 letters, digits or _.:-, not ${String(zone)}`;

function wrongOption({ app, endpoint }: InitOptions): string | null {
  if (!UUID.test(app)) return "app must be the key from the app's settings page";
  if (!/^https?:\/\/[^/]/.test(endpoint))
    return "endpoint must be the platform's address, such as https://ads.example.com";
  return null;
}
