import {
  NATIVE_DATA,
  NATIVE_EVENT,
  NATIVE_IMAGE,
  NATIVE_METHOD,
  type NativeAsset,
  type NativeLink,
  type NativeRequest,
  type NativeResponse,
} from "./native.ts";

export interface NativeImage {
  url: string;
  w?: number;
  h?: number;
}

/** A native response with its assets by meaning, ready for layout. Texts are plain text, not markup. */
export interface NativeAd {
  title?: string;
  icon?: NativeImage;
  image?: NativeImage;
  description?: string;
  sponsored?: string;
  callToAction?: string;
  rating?: string;
  price?: string;
  /** VAST markup. */
  vast?: string;
  link: NativeLink;
  privacyUrl?: string;
  /** Images to request and scripts to load when the ad is shown. */
  impressionImages: string[];
  impressionScripts: string[];
  /** Images to request when half of the ad has been in view for a second (MRC). */
  viewableImages: string[];
}

/**
 * Sorts the assets of a response by meaning. An asset's type (icon or main image, kind of text) comes from the response,
 * or else from the request's asset with the same id.
 */
export function readNative(response: NativeResponse, request?: NativeRequest): NativeAd {
  const requestedById = new Map(request?.assets.map((asset) => [asset.id, asset]));
  const ad: NativeAd = { link: response.link, ...trackersOf(response) };
  if (response.privacy !== undefined) ad.privacyUrl = response.privacy;
  for (const asset of response.assets ?? []) {
    const wanted = asset.id === undefined ? undefined : requestedById.get(asset.id);
    if (asset.title !== undefined) ad.title ??= asset.title.text;
    if (asset.video !== undefined) ad.vast ??= asset.video.vasttag;
    if (asset.img !== undefined) readImage(ad, asset.img, asset.img.type ?? wanted?.img?.type);
    if (asset.data !== undefined) readData(ad, asset.data, asset.data.type ?? wanted?.data?.type);
  }
  return ad;
}

function readImage(ad: NativeAd, { url, w, h }: NonNullable<NativeAsset["img"]>, type: number | undefined): void {
  const image: NativeImage = { url, ...(w !== undefined && { w }), ...(h !== undefined && { h }) };
  if (type === NATIVE_IMAGE.icon) ad.icon ??= image;
  else ad.image ??= image;
}

const FIELD_OF_DATA = new Map<number, "sponsored" | "description" | "rating" | "price" | "callToAction">([
  [NATIVE_DATA.sponsored, "sponsored"],
  [NATIVE_DATA.description, "description"],
  [NATIVE_DATA.description2, "description"],
  [NATIVE_DATA.rating, "rating"],
  [NATIVE_DATA.price, "price"],
  [NATIVE_DATA.salePrice, "price"],
  [NATIVE_DATA.callToAction, "callToAction"],
]);

function readData(ad: NativeAd, { value }: NonNullable<NativeAsset["data"]>, type: number | undefined): void {
  const field = type === undefined ? undefined : FIELD_OF_DATA.get(type);
  if (field !== undefined) ad[field] ??= value;
}

function trackersOf(
  response: NativeResponse,
): Pick<NativeAd, "impressionImages" | "impressionScripts" | "viewableImages"> {
  const urls = (event: number, method: number): string[] =>
    (response.eventtrackers ?? []).flatMap((tracker) =>
      tracker.event === event && tracker.method === method && tracker.url !== undefined ? [tracker.url] : [],
    );
  return {
    impressionImages: [...(response.imptrackers ?? []), ...urls(NATIVE_EVENT.impression, NATIVE_METHOD.image)],
    impressionScripts: urls(NATIVE_EVENT.impression, NATIVE_METHOD.script),
    viewableImages: urls(NATIVE_EVENT.viewableMrc50, NATIVE_METHOD.image),
  };
}

const KINDS = ["title", "img", "video", "data"] as const;

/** Ids of required assets that a response lacks. A response that lacks any must not be shown. */
export function missingAssets(request: NativeRequest, response: NativeResponse): number[] {
  const answered = new Set<string>();
  for (const asset of response.assets ?? []) {
    for (const kind of KINDS) if (asset[kind] !== undefined) answered.add(`${asset.id} ${kind}`);
  }
  return request.assets
    .filter(({ required }) => required === 1)
    .filter((requested) =>
      KINDS.some((kind) => requested[kind] !== undefined && !answered.has(`${requested.id} ${kind}`)),
    )
    .map(({ id }) => id);
}
