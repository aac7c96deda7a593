import type { Ad, Format } from "@millrace/contract";
import type { DownloadBudget, PreparedAd } from "../core/index.ts";
import type { Place } from "../web/place.ts";

/** What a renderer gets beside the ad. */
export interface RendererContext {
  format: Format;
  budget: DownloadBudget;
  /** The frame page, for pages whose Content-Security-Policy blocks ads. */
  frameUrl?: string;
}

/**
 * The one export of a renderer's file, which the SDK loads from the platform when an ad needs it. Null if the ad cannot be
 * shown. Files and SDK may be of different versions, so fields are added but never changed.
 */
export interface Renderer {
  prepare(ad: Ad, context: RendererContext): Promise<PreparedAd<Place> | null>;
}

/** Opens a landing page in a new window that cannot reach this one. */
export const openLanding = (url: string): void => void window.open(url, "_blank", "noopener");
