import { MTYPE } from "@millrace/openrtb";
import type { Bid, BidRequest, BidResponse } from "@millrace/openrtb";
import { bannerHtml } from "../creatives/banner.ts";
import { nativeJson } from "../creatives/native.ts";
import { vastXml } from "../creatives/vast.ts";
import { SPOT_SECONDS } from "./decide-bid.ts";
import { VIDEO_SIZE } from "./serve-creative.ts";
import type { Intent } from "./decide-bid.ts";
import type { Personality } from "./personality.ts";

/** The bidder's OpenRTB 2.6 response. Null, a no-bid, if it has no creative for any of its intents. */
export function bidResponse(
  personality: Personality,
  request: BidRequest,
  intents: readonly Intent[],
  labUrl: string,
): BidResponse | null {
  const bids = intents.flatMap((intent) => bidFor(personality, request, intent, labUrl) ?? []);
  if (bids.length === 0) return null;
  return {
    id: request.id,
    bidid: `${personality.id}-${request.id}`,
    cur: "USD",
    seatbid: [{ seat: personality.id, bid: bids }],
  };
}

function bidFor(personality: Personality, request: BidRequest, intent: Intent, labUrl: string): Bid | null {
  const { imp, offer, price, subject } = intent;
  const drawn = draw(personality, request, intent, labUrl);
  if (drawn === null) return null;
  const notice = (kind: string, query: string) =>
    `${labUrl}/notice/${kind}/${personality.id}?auction=\${AUCTION_ID}&${query}`;
  return {
    id: `${imp.id}-${personality.id}`,
    impid: imp.id,
    price,
    mtype: MTYPE[offer.mediaType],
    adomain: [subject.domain],
    cat: [subject.category],
    cid: subject.slug,
    crid: `${subject.slug}-${offer.mediaType}`,
    nurl: notice("win", "price=${AUCTION_PRICE}"),
    burl: notice("billing", "price=${AUCTION_PRICE}"),
    lurl: notice("loss", "price=${AUCTION_PRICE}&reason=${AUCTION_LOSS}"),
    ...drawn,
  };
}

/** The fields of the creative: its markup, and its size or duration. */
function draw(
  personality: Personality,
  request: BidRequest,
  { imp, offer, subject }: Intent,
  labUrl: string,
): Pick<Bid, "adm" | "w" | "h" | "dur"> | null {
  const clickUrl = `${labUrl}/landing/${subject.slug}`;
  const eventUrl = (event: string) => `${labUrl}/notice/${event}/${personality.id}?creative=${subject.slug}`;
  switch (offer.mediaType) {
    case "banner": {
      const { w, h } = bannerSize(imp.banner ?? {}, offer.format === "interstitial");
      return { adm: bannerHtml(subject, w, h, clickUrl), w, h };
    }
    case "native": {
      const adm = nativeJson(imp.native?.request ?? "", subject, {
        clickUrl,
        impressionUrl: eventUrl("impression"),
        picture: (w, h) => `${labUrl}/media/${subject.slug}-${w}x${h}.svg`,
      });
      return adm === null ? null : { adm };
    }
    case "video":
    case "audio": {
      const skippable = offer.mediaType === "video" && imp.video?.skip === 1;
      const adm = vastXml({
        servingId: `${request.id}-${imp.id}-${personality.id}`,
        subject,
        kind: offer.mediaType,
        mediaUrl: `${labUrl}/media/${subject.slug}.${offer.mediaType === "video" ? "mp4" : "mp3"}`,
        clickUrl,
        impressionUrl: eventUrl("impression"),
        errorUrl: `${eventUrl("error")}&code=[ERRORCODE]`,
        seconds: SPOT_SECONDS,
        ...(skippable ? { skipAfterSeconds: imp.video?.skipafter ?? 5 } : {}),
        ...VIDEO_SIZE,
      });
      return { adm, dur: SPOT_SECONDS };
    }
  }
}

/** The first size in the request, or the format's default. */
function bannerSize(banner: { w?: number; h?: number; format?: { w?: number; h?: number }[] }, fullScreen: boolean) {
  const named = [banner, ...(banner.format ?? [])].find(({ w, h }) => w !== undefined && h !== undefined);
  return { w: named?.w ?? 320, h: named?.h ?? (fullScreen ? 480 : 50) };
}
