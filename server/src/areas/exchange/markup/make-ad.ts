import { createHash } from "node:crypto";
import type { BidCandidate, Ranked } from "@millrace/auction";
import { CAMPAIGN_PROVIDER, type Format, INHOUSE_PROVIDER } from "@millrace/contract";
import { type Device, expandMacros, type Imp, type VastFault } from "@millrace/openrtb";
import type { PartnerBid } from "@millrace/partners";
import { impressionMicros, revenueShareMicros } from "@millrace/units";
import type { AuctionResult } from "../auction/execute-auction.ts";
import type { AdMarkup } from "../campaigns/ad-markup.ts";
import type { InhouseAd } from "../campaigns/auction-inhouse.ts";
import type { ChosenAd } from "../campaigns/choose-campaigns.ts";
import {
  type AdFacts,
  type CampaignFacts,
  type ImpressionNotices,
  NO_NOTICES,
  signAd,
} from "../delivery/beacon-token.ts";
import { type BeaconUrls, LazyBeaconUrls } from "../delivery/beacon-urls.ts";
import { signedDestination } from "../delivery/click-destination.ts";
import type { Keyring } from "../delivery/secrets.ts";
import { impressionNotices, macrosOf } from "../notices/notices.ts";
import { framedHtml, pageHtml } from "./html-markup.ts";
import { trackedNative } from "./native-markup.ts";
import { trackedVast } from "./vast-markup.ts";

export interface AdDeps {
  keyring: Keyring;
  publicUrl: string;
  /** How long an ad's beacons are valid. */
  adLifeMs: number;
  /** Called for each video or audio bid whose markup cannot be shown and counted. */
  onRefusedVast(reason: VastFault): void;
}

/** The device and place of an ad, as recorded in its events. */
export type Audience = Pick<AdFacts, "zone" | "country" | "device" | "firstDay" | "sdkVersion"> & { format: Format };

/** An ad that can be shown and counted. */
export interface MadeAd {
  candidate: Ranked<BidCandidate>;
  bid: PartnerBid;
  facts: AdFacts;
  beacons: BeaconUrls;
  markup: { type: "html" | "vast" | "native"; content: string };
}

/** The renderer: our SDK has its own frame and reports impressions itself; a page only writes the markup. */
export type Renderer = "sdk" | "page";

/** Makes the ad of a candidate; null if its markup cannot be shown and counted. */
function makeAd(
  deps: AdDeps,
  auction: AuctionResult,
  imp: Imp,
  candidate: Ranked<BidCandidate>,
  audience: Audience,
  { renderer, isFirst }: { renderer: Renderer; isFirst: boolean },
): MadeAd | null {
  const bid = auction.bidAt(candidate);
  const adm = bid?.bid.adm;
  if (!bid || adm === undefined || adm === "") return null;
  const own = auction.setup.campaigns?.adAt(candidate) ?? auction.setup.inhouse?.adAt(candidate);
  const facts = factsOf(deps, auction, candidate, bid, audience, own);
  const creative = own && creativeOf(own);
  const notices = creative ? trackingOf(creative) : impressionNotices(auction, candidate, isFirst);
  const tokens = signAd(deps.keyring, facts, notices);
  const beacons = new LazyBeaconUrls(deps.publicUrl, tokens);
  if (own && creative) {
    const { markup: ad } = own;
    const { clickUrl } = creative;
    const link = beacons.withDestination(signedDestination(deps.keyring, tokens.click, clickUrl)).click;
    const markup = ownMarkup(deps, { ad, link, imp, adId: facts.auctionId, beacons, renderer });
    return markup && { candidate, bid, facts, beacons, markup };
  }
  const text = adm.includes("AUCTION_")
    ? expandMacros(adm, macrosOf(auction, candidate, candidate.clearingPriceMicros))
    : adm;
  switch (candidate.mediaType) {
    case "banner": {
      const content = renderer === "sdk" ? text : framedHtml(text, candidate, beacons);
      return { candidate, bid, facts, beacons, markup: { type: "html", content } };
    }
    case "native": {
      const native = trackedNative(text, imp, beacons);
      if (!native) return null;
      const leadingOn = beacons.withDestination(signedDestination(deps.keyring, tokens.click, native.url));
      return { candidate, bid, facts, beacons: leadingOn, markup: { type: "native", content: native.json } };
    }
    case "video":
    case "audio": {
      const isAudio = candidate.mediaType === "audio";
      const vast = trackedVast(text, { adId: facts.auctionId, beacons, isAudio });
      if (vast.ok) return { candidate, bid, facts, beacons, markup: { type: "vast", content: vast.xml } };
      deps.onRefusedVast(vast.reason);
      return null;
    }
  }
}

const creativeOf = (own: ChosenAd | InhouseAd) => ("creative" in own ? own.creative : own.campaign);

/** The markup of a campaign's ad, in-house ones too. Its link counts the click and fills its macros after that. */
function ownMarkup(
  { onRefusedVast }: AdDeps,
  own: { ad: AdMarkup; link: string; imp: Imp; adId: string; beacons: LazyBeaconUrls; renderer: Renderer },
): MadeAd["markup"] | null {
  const { ad, link, imp, adId, beacons, renderer } = own;
  const adm = ad.adm(link);
  switch (ad.mediaType) {
    case "banner":
      // Our SDK counts the impression itself.
      return { type: "html", content: renderer === "sdk" ? adm : pageHtml(adm, beacons) };
    case "native": {
      const native = trackedNative(adm, imp, beacons.withoutClick());
      return native && { type: "native", content: native.json };
    }
    case "video": {
      const vast = trackedVast(adm, { adId, beacons: beacons.withoutClick(), isAudio: false });
      if (vast.ok) return { type: "vast", content: vast.xml };
      onRefusedVast(vast.reason);
      return null;
    }
  }
}

/** Makes up to `limit` ads of an imp, best first, and skips those that cannot be shown. */
export function makeAds(
  deps: AdDeps,
  auction: AuctionResult,
  impId: string,
  audience: Audience,
  { renderer, limit }: { renderer: Renderer; limit: number },
): MadeAd[] {
  const imp = auction.setup.request.imp.find(({ id }) => id === impId);
  const ads: MadeAd[] = [];
  if (!imp) return ads;
  for (const candidate of auction.decision.order(impId)) {
    const ad = makeAd(deps, auction, imp, candidate, audience, { renderer, isFirst: ads.length === 0 });
    if (ad) ads.push(ad);
    // Stops here, because the rest of the order is decided lazily.
    if (ads.length >= limit) break;
  }
  return ads;
}

const MAX_ID = 64;

function factsOf(
  { adLifeMs }: AdDeps,
  { setup, decision }: AuctionResult,
  candidate: Ranked<BidCandidate>,
  { bid }: PartnerBid,
  audience: Audience,
  own: ChosenAd | InhouseAd | undefined,
): AdFacts {
  const priceMicros = candidate.clearingPriceMicros;
  const costMicros = impressionMicros(priceMicros);
  // Field by field: spreading into a longer object takes 50 times as long.
  return {
    zone: audience.zone,
    country: audience.country,
    device: audience.device,
    firstDay: audience.firstDay,
    sdkVersion: audience.sdkVersion,
    format: audience.format,
    auctionId: setup.auctionId,
    impId: candidate.impId,
    candidateId: candidate.candidateId,
    appId: setup.app.id,
    platform: setup.app.platform,
    provider: providerOf(own) ?? candidate.participantId,
    creative: (bid.crid ?? bid.adid ?? "").slice(0, MAX_ID),
    priceMicros,
    revenueMicros: revenueShareMicros(costMicros, setup.revenueSharePpm),
    issuedAtMs: setup.at,
    expiresAtMs: setup.at + adLifeMs,
    demo: setup.app.demo,
    test: decision.test,
    campaign: own ? campaignFacts(own, setup, costMicros) : null,
  };
}

const providerOf = (own: ChosenAd | InhouseAd | undefined): string | undefined =>
  own && ("creative" in own ? CAMPAIGN_PROVIDER : INHOUSE_PROVIDER).id;

function campaignFacts(
  own: ChosenAd | InhouseAd,
  { request: { device }, privacy }: AuctionResult["setup"],
  costMicros: number,
): CampaignFacts {
  // Nobody pays for an in-house ad, so nothing is held for it.
  if (!("creative" in own))
    return { id: own.campaign.id, creativeId: 0, leaseId: "", costMicros: 0, arm: "", deviceSha1: "" };
  const { campaign, creative, held, arm } = own;
  // No partner is meant: what no vendor may know, an attribution provider may not either.
  const mayTell = creative.asksForDevice && privacy.rulesFor(undefined).length === 0;
  return {
    id: campaign.id,
    creativeId: creative.id,
    leaseId: held?.money.leaseId ?? "",
    costMicros,
    arm,
    deviceSha1: mayTell ? advertisingIdSha1(device) : "",
  };
}

const NO_ID = /^[0-]*$/;

/** The SHA-1 of an advertising id as it is spelled on its platform, in hexadecimal; empty without one. */
function advertisingIdSha1({ ifa = "", os = "" }: Device = {}): string {
  if (NO_ID.test(ifa)) return "";
  const id = os.toLowerCase() === "ios" ? ifa.toUpperCase() : ifa.toLowerCase();
  return createHash("sha1").update(id).digest("hex");
}

const trackingOf = ({ trackingUrl }: { trackingUrl: string }): ImpressionNotices =>
  trackingUrl === "" ? NO_NOTICES : { billing: trackingUrl };
