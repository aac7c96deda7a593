import { MEDIA_TYPES } from "@millrace/openrtb";
import { type AuctionInput, type FloorDraw, floorDrawOf, type Offer, osMajorOf } from "@millrace/auction";
import type { AuctionRow } from "../../statistics/index.ts";

export type OfferFacts = Required<
  Pick<AuctionRow, "floor_micros" | "region" | "os_major" | "connection" | "campaign_platform" | "sizes" | "media">
> &
  Pick<AuctionRow, "floor_arm" | "floor_step" | "floor_probability">;

/** Of a banner that takes more, the first ones. */
const MOST_SIZES = 20;
/** The column is a byte. No system has come near it. */
const MOST_MAJOR = 255;

/** What a request offers beyond its format and country: the facts that campaigns are targeted by. */
export function offerFacts(
  {
    offers,
    device,
    floorDraws,
    mayCampaignsWin,
  }: {
    offers: readonly Offer[];
    device: AuctionInput["device"];
    floorDraws: readonly FloorDraw[] | undefined;
    mayCampaignsWin: boolean;
  },
  impId: string,
): OfferFacts {
  const offer = offers.find(({ imp }) => imp.id === impId);
  // Without media and a platform, no campaign's statistics count the request as one that it could have won.
  const isForCampaigns = mayCampaignsWin && offer?.floorMicros !== null;
  return {
    floor_micros: offer?.floorMicros ?? 0,
    ...(floorDraws && drawFacts(floorDraws, impId)),
    region: device.region ?? "",
    os_major: Math.min(MOST_MAJOR, osMajorOf(device.osVersion) ?? 0),
    connection: device.network ?? "",
    campaign_platform: (isForCampaigns && device.campaignPlatform) || "",
    sizes: sizesOf(offer?.imp.banner),
    media: !isForCampaigns ? [] : MEDIA_TYPES.filter((type) => offer?.imp[type] !== undefined),
  };
}

function drawFacts(floorDraws: readonly FloorDraw[], impId: string) {
  const draw = floorDrawOf({ floorDraws }, impId);
  return draw && { floor_arm: draw.arm, floor_step: draw.step ?? 0, floor_probability: draw.probability };
}

function sizesOf(banner: Offer["imp"]["banner"]): string[] {
  if (banner === undefined) return [];
  const sizes: string[] = [];
  for (const { w, h } of banner.format ?? [banner]) {
    if (w !== undefined && h !== undefined && sizes.length < MOST_SIZES) sizes.push(`${w}x${h}`);
  }
  return sizes;
}
