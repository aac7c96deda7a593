import type { Ext } from "./media.ts";

/** OpenRTB Dynamic Native Ads API 1.2, request (section 4.1). */
export interface NativeRequest {
  ver?: string;
  context?: number;
  contextsubtype?: number;
  plcmttype?: number;
  plcmtcnt?: number;
  seq?: number;
  assets: NativeAssetRequest[];
  aurlsupport?: number;
  durlsupport?: number;
  eventtrackers?: NativeEventRequest[];
  privacy?: number;
  ext?: Ext;
}

/** One requested asset: exactly one of title, img, video and data (section 4.2). */
export interface NativeAssetRequest {
  id: number;
  required?: number;
  /** `len` in characters. */
  title?: { len: number; ext?: Ext };
  img?: { type?: number; w?: number; wmin?: number; h?: number; hmin?: number; mimes?: string[]; ext?: Ext };
  video?: { mimes: string[]; minduration: number; maxduration: number; protocols: number[]; ext?: Ext };
  data?: { type: number; len?: number; ext?: Ext };
  ext?: Ext;
}

/** An event that may be tracked, and how (section 4.7). */
export interface NativeEventRequest {
  event: number;
  methods: number[];
  ext?: Ext;
}

/** Native 1.2 response (section 5.1). */
export interface NativeResponse {
  ver?: string;
  assets?: NativeAsset[];
  assetsurl?: string;
  dcourl?: string;
  link: NativeLink;
  /** Deprecated in favour of `eventtrackers`. */
  imptrackers?: string[];
  /** Deprecated in favour of `eventtrackers`. */
  jstracker?: string;
  eventtrackers?: NativeEventTracker[];
  privacy?: string;
  ext?: Ext;
}

/** One asset of the response (section 5.2). */
export interface NativeAsset {
  id?: number;
  required?: number;
  title?: { text: string; len?: number; ext?: Ext };
  img?: { type?: number; url: string; w?: number; h?: number; ext?: Ext };
  video?: { vasttag: string; ext?: Ext };
  data?: { type?: number; len?: number; value: string; ext?: Ext };
  link?: NativeLink;
  ext?: Ext;
}

/** A click's destination and trackers (section 5.7). */
export interface NativeLink {
  url: string;
  clicktrackers?: string[];
  fallback?: string;
  ext?: Ext;
}

/** A tracker of an event (section 5.8). */
export interface NativeEventTracker {
  event: number;
  method: number;
  url?: string;
  customdata?: Ext;
  ext?: Ext;
}

/** Image asset types (section 7.4). */
export const NATIVE_IMAGE = { icon: 1, main: 3 } as const;

/** Data asset types (section 7.3). */
export const NATIVE_DATA = {
  sponsored: 1,
  description: 2,
  rating: 3,
  likes: 4,
  downloads: 5,
  price: 6,
  salePrice: 7,
  phone: 8,
  address: 9,
  description2: 10,
  displayUrl: 11,
  callToAction: 12,
} as const;

/** Event types (section 7.6). */
export const NATIVE_EVENT = { impression: 1, viewableMrc50: 2, viewableMrc100: 3, viewableVideo50: 4 } as const;

/** Event tracking methods (section 7.7). */
export const NATIVE_METHOD = { image: 1, script: 2 } as const;
