import { type Offer, takesSize } from "@millrace/auction";
import {
  answerNative,
  type Bid,
  inlineVast,
  type NativeRequest,
  type NativeResponse,
  parseNativeRequest,
  skipOffset,
  takesVideo,
  vastVersionFor,
} from "@millrace/openrtb";
import { LONGEST_HOLD_MS } from "../../budgets/index.ts";
import type { Rotated } from "./creative-rotation.ts";
import type { LiveCampaign } from "./live-campaigns.ts";
import type { LiveCreative, LiveVideo } from "./live-creatives.ts";

type Imp = Offer["imp"];

/**
 * How long an ad may wait to be shown, in seconds: five minutes less than a campaign's money is held, so that also a late beacon
 * is billed.
 */
export const AD_EXPIRES_SECONDS = LONGEST_HOLD_MS / 1000 - 300;

/** How a creative is shown in a place. */
export interface AdMarkup {
  mediaType: "banner" | "video" | "native";
  /** The markup with a link to this address. */
  adm(href: string): string;
  /** What else the bid says about it: a banner's own size, the first size of the place that an image fills, a video's length. */
  facts: Pick<Bid, "w" | "h" | "wratio" | "hratio" | "dur" | "protocol" | "iurl">;
}

/** The creative chosen from a campaign's creatives that fit a place, as it is shown there; null if none fits. */
export function adFor(
  campaign: Pick<LiveCampaign, "creatives" | "targeting">,
  offer: Pick<Offer, "imp" | "format">,
  auctionId: string,
  choose: (fitting: readonly LiveCreative[]) => Rotated | undefined,
): (Rotated & { markup: AdMarkup }) | null {
  const rotated = choose(fittingCreatives(campaign, offer.imp));
  const markup = rotated && markupOf(rotated.creative, campaign.targeting.format, offer, auctionId);
  return rotated && markup ? { ...rotated, markup } : null;
}

function fittingCreatives({ creatives, targeting }: Pick<LiveCampaign, "creatives" | "targeting">, imp: Imp) {
  switch (targeting.format) {
    case "banner":
      return creatives.filter((creative) => takesSize(imp, creative));
    case "image":
      return imp.banner === undefined ? creatives.filter((creative) => nativeFor(creative, imp) !== null) : creatives;
    case "video": {
      const { video: place } = imp;
      const fitting = creatives.filter(
        ({ video }) => place !== undefined && video !== null && takesVideo(place, video),
      );
      // Those of the place's shape, if there are any; players put bars beside others.
      const shaped = fitting.filter(({ w, h }) => isUpright(place) === undefined || isUpright(place) === h > w);
      return shaped.length > 0 ? shaped : fitting;
    }
  }
}

/** Length in whole seconds, as bids tell it. */
export const secondsOf = ({ durationMs }: Pick<LiveVideo, "durationMs">): number => Math.round(durationMs / 1000);

/** A video as it is shown in a place; null if the place does not take it. */
export function videoIn(
  video: LiveVideo,
  { imp, format }: Pick<Offer, "imp" | "format">,
  auctionId: string,
): AdMarkup | null {
  const vast = imp.video === undefined || !takesVideo(imp.video, video) ? null : vastVersionFor(imp.video);
  if (imp.video === undefined || vast === null) return null;
  const { durationMs, skipAfter, width: w, height: h } = video;
  // A user who wants the reward watches the whole video.
  const skipAfterSeconds = format === "rewarded" ? null : skipOffset(imp.video, { durationMs, skipAfter });
  const terms = { version: vast.version, adId: auctionId, skipAfterSeconds, expiresSeconds: AD_EXPIRES_SECONDS };
  const adm = (clickUrl: string) => inlineVast({ ...video, clickUrl }, terms);
  return { mediaType: "video", adm, facts: { w, h, dur: secondsOf(video), protocol: vast.protocol } };
}

/** Whether a player is higher than wide; undefined if unknown. */
export const isUpright = (place: Imp["video"]): boolean | undefined =>
  place?.w === undefined || place.h === undefined || place.w === place.h ? undefined : place.h > place.w;

function markupOf(
  creative: LiveCreative,
  format: LiveCampaign["targeting"]["format"],
  offer: Pick<Offer, "imp" | "format">,
  auctionId: string,
): AdMarkup | null {
  const { imp } = offer;
  const { w, h, fileUrl: iurl, video } = creative;
  if (imp.video !== undefined && video !== null) return videoIn(video, offer, auctionId);
  if (imp.banner !== undefined) {
    const size = format === "banner" ? { w, h } : fullScreenSize(imp);
    return { mediaType: "banner", adm: creative.html, facts: { iurl, ...size } };
  }
  const native = nativeFor(creative, imp);
  return native && { mediaType: "native", adm: (url) => JSON.stringify({ ...native, link: { url } }), facts: { iurl } };
}

/** The size of a bid whose image fills any place: the first of the imp. */
export function fullScreenSize({ banner }: Imp): Pick<Bid, "w" | "h" | "wratio" | "hratio"> {
  const sizes = banner?.format ?? [];
  const fixed = [...sizes, ...(banner ? [banner] : [])].find((size) => size.w !== undefined && size.h !== undefined);
  if (fixed?.w !== undefined && fixed.h !== undefined) return { w: fixed.w, h: fixed.h };
  const [first] = sizes;
  return first?.wratio === undefined || first.hratio === undefined
    ? {}
    : { wratio: first.wratio, hratio: first.hratio };
}

/** Requests are the same text for all campaigns of an auction, and for all auctions of our SDK. */
const requests = new WeakMap<object, NativeRequest | null>();

function nativeFor({ native }: LiveCreative, imp: Imp): NativeResponse | null {
  if (native === null || imp.native === undefined) return null;
  let request = requests.get(imp);
  if (request === undefined) {
    const parsed = parseNativeRequest(imp.native.request);
    request = parsed.ok ? parsed.value : null;
    requests.set(imp, request);
  }
  return request && answerNative(request, native);
}
