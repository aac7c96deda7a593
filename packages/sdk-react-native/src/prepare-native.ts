import type { Ad, Format } from "@millrace/contract";
import type { CoreOptions, Prepare, PreparedAd, ShowEvents } from "@millrace/sdk/core";
import { type NativeAssets, readNative } from "@millrace/sdk/native-assets";
import { adPage, readPageMessage } from "./ad-page.ts";
import type { NativeModules } from "./native-modules.ts";

/** An ad in a web view. */
export interface Presentation {
  key: string;
  html: string;
  baseUrl: string;
  /** It plays without a place on the screen. */
  isAudio: boolean;
  onMessage(text: string): void;
  /** The web view has crashed, or could not load its page. */
  onFailed(): void;
}

/** A component that shows presentations. */
export interface Slot {
  /** Loads it, without showing it yet. */
  load(presentation: Presentation): void;
  reveal(presentation: Presentation): void;
  hide(presentation: Presentation): void;
}

/** A native ad that is shown by the app's own views. */
export interface DrawnNative {
  assets: NativeAssets;
  /** Call it when the user presses the ad: it counts the click and opens the advertiser's page. */
  press: () => void;
}

export interface NativePlace {
  /** The view to show it in. Without it, the ad takes the whole screen. */
  into?: Slot;
  skipAfter?: number;
  /** Draws a native ad. */
  draw?: (native: DrawnNative) => void;
}

/** The kinds of markup that the platform's renderers show in a web view. */
const KINDS: readonly string[] = ["html", "mraid", "vast"];
/** Web pages and the stores of the platforms. */
const OPENS = /^(https?|market|itms-apps|amzn):/i;

/** What the screen needs to show ads; `screen` is the mounted `AdScreen`, if there is one. */
export interface PrepareDeps {
  Linking: NativeModules["Linking"];
  screen: () => Slot | null;
  makeId: () => string;
  /** Calls a tracking address. */
  track: (url: string) => void;
}

export const prepareNative =
  (deps: PrepareDeps) =>
  ({ endpoint }: CoreOptions): Prepare<NativePlace> =>
  async (ad, format) => {
    if (ad.markup.type === "native") return nativeAd(deps, ad);
    return KINDS.includes(ad.markup.type) ? webViewAd(deps, ad, format, endpoint.replace(/\/+$/, "")) : null;
  };

function open({ Linking }: PrepareDeps, url: string): void {
  if (OPENS.test(url)) Linking.openURL(url).catch(() => {});
}

function webViewAd(deps: PrepareDeps, ad: Ad, format: Format, endpoint: string): PreparedAd<NativePlace> {
  let remove = () => {};
  return {
    async show({ into, skipAfter }, on) {
      const slot = into ?? deps.screen();
      if (!slot) return false;
      const nonce = deps.makeId();
      const isAudio = format === "audio";
      return new Promise<boolean>((resolve) => {
        const presentation: Presentation = {
          key: nonce,
          html: adPage({ ad, format, endpoint, nonce, isFullScreen: !into && !isAudio, skipAfter }),
          baseUrl: endpoint,
          isAudio,
          onMessage(text) {
            const message = readPageMessage(text, nonce);
            if (message?.type === "started") slot.reveal(presentation);
            if (message?.type === "started" || message?.type === "failed") resolve(message.type === "started");
            else if (message?.type === "open") open(deps, message.url);
            else if (message) on[message.type]();
          },
          onFailed() {
            resolve(false);
            on.hidden();
          },
        };
        slot.load(presentation);
        remove = () => slot.hide(presentation);
      });
    },
    destroy: () => remove(),
  };
}

/** Native 1.2 in the app's own views. Scripts that count an impression cannot run there. */
function nativeAd(deps: PrepareDeps, ad: Ad): PreparedAd<NativePlace> | null {
  const native = readNative(ad.markup.content);
  if (!native) return null;
  const own = new Set([ad.beacons.impression, ad.beacons.click]);
  const track = (urls: readonly string[]) => {
    for (const url of new Set(urls)) if (!own.has(url)) deps.track(url);
  };
  return {
    async show({ draw }: NativePlace, on: ShowEvents) {
      if (!draw) return false;
      let isPressed = false;
      const press = () => {
        on.clicked();
        if (!isPressed) track(native.clickTrackers);
        isPressed = true;
        open(deps, native.clickUrl);
      };
      draw({ assets: native.assets, press });
      track(native.impressionTrackers);
      return true;
    },
    destroy() {},
  };
}
