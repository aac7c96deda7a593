import {
  NATIVE_DATA,
  NATIVE_IMAGE,
  type NativeAsset,
  type NativeAssetRequest,
  type NativeRequest,
  type NativeResponse,
} from "./native.ts";

/** What a native ad of our own can show. */
export interface NativeOffer {
  title: string;
  /** `type` is its media type. */
  image: { url: string; type: string; w: number; h: number };
  /** The app's icon in its store; null if unknown. */
  iconUrl: string | null;
  /** The words of the button; empty for none. */
  callToAction: string;
  /** The advertiser's domain. */
  domain: string;
  clickUrl: string;
}

/**
 * Answers a request with the assets that it asks for (Native 1.2, section 5). Null if a required one cannot be given. Trackers
 * are left to the seller, who adds them to every ad.
 */
export function answerNative({ assets }: NativeRequest, offer: NativeOffer): NativeResponse | null {
  const answered: NativeAsset[] = [];
  for (const requested of assets) {
    const asset = assetFor(requested, offer);
    if (asset !== null) answered.push({ id: requested.id, ...asset });
    else if (requested.required === 1) return null;
  }
  return answered.length === 0 ? null : { ver: "1.2", assets: answered, link: { url: offer.clickUrl } };
}

function assetFor({ title, img, data }: NativeAssetRequest, offer: NativeOffer): Omit<NativeAsset, "id"> | null {
  if (title) return { title: { text: cut(offer.title, title.len) } };
  if (data) {
    const value = textFor(data.type, offer);
    return value === "" ? null : { data: { type: data.type, value: cut(value, data.len) } };
  }
  if (!img) return null;
  if (img.type === NATIVE_IMAGE.icon)
    return offer.iconUrl === null || isExact(img) ? null : { img: { type: NATIVE_IMAGE.icon, url: offer.iconUrl } };
  if (img.type !== undefined && img.type !== NATIVE_IMAGE.main) return null;
  const { url, type, w, h } = offer.image;
  const fits = fitsSide(w, img.w, img.wmin) && fitsSide(h, img.h, img.hmin);
  const isTaken = img.mimes === undefined || img.mimes.length === 0 || img.mimes.includes(type);
  return fits && isTaken ? { img: { type: NATIVE_IMAGE.main, url, w, h } } : null;
}

/** A size without a minimum is exact (section 4.4). The sizes of icons are not known. */
const isExact = ({ w, wmin, h, hmin }: NonNullable<NativeAssetRequest["img"]>): boolean =>
  (w !== undefined && wmin === undefined) || (h !== undefined && hmin === undefined);

const fitsSide = (side: number, exact: number | undefined, least: number | undefined): boolean =>
  least === undefined ? exact === undefined || side === exact : side >= least;

function textFor(type: number, { domain, callToAction }: NativeOffer): string {
  switch (type) {
    case NATIVE_DATA.sponsored:
    case NATIVE_DATA.displayUrl:
      return domain;
    case NATIVE_DATA.callToAction:
      return callToAction;
    default:
      return "";
  }
}

/** A text within a place's length, in characters. */
function cut(text: string, length = Infinity): string {
  const characters = Array.from(text);
  return characters.length <= length ? text : `${characters.slice(0, Math.max(0, length - 1)).join("")}…`;
}
