import type { NativeAssets } from "../renderers/native-assets.ts";

/** Where and how an ad is shown. */
export interface Place {
  /** The element to put it in. Without it, the ad takes the whole screen. */
  into?: HTMLElement;
  /** Seconds until a full-screen ad can be closed; 5 by default. A video's own skip offset goes before it. */
  skipAfter?: number;
  /**
   * Draws a native ad into its element, instead of the default view. A click anywhere in it leads to the advertiser, except on a
   * link to `assets.privacy`.
   */
  draw?: (assets: NativeAssets, into: HTMLElement) => void;
  /** Set by the SDK for its banners: told when the user makes one larger than its place (MRAID), and when it is back. */
  onEngaged?: (isEngaged: boolean) => void;
}
