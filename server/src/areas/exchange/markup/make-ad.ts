import { createHash } from "node:crypto";
import type { BidCandidate, Ranked } from "@millrace/auction";
import { CAMPAIGN_PROVIDER, type Format, INHOUSE_PROVIDER, LINE_PROVIDER, isOwnId } from "@millrace/contract";
import { API, type Device, expandMacros, type Imp, type VastFault } from "@millrace/openrtb";
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
import { LazyBeaconUrls } from "../delivery/beacon-urls.ts";
import { signedDestination } from "../delivery/click-destination.ts";
import type { Keyring } from "../delivery/secrets.ts";
import type { AuctionLine } from "../line-items/auction-lines.ts";
import { fillTag } from "../line-items/fill-tag.ts";
import { impressionNotices, macrosOf } from "../notices/notices.ts";
import { containerHtml, framedHtml, pageHtml } from "./html-markup.ts";
import { trackedNative } from "./native-markup.ts";
import { trackedVast } from "./vast-markup.ts";

export interface AdDeps {
  keyring: Keyring;
  publicUrl: string;
  /** How long an ad's beacons are valid. */
  adLifeMs: number;
  /** Called for each video or audio bid whose markup cannot be shown and counted. */
  onRefusedVast(reason: VastFault): void;
  /** Called for each ad that could not be made, which is a fault of ours. */
  onFailedAd(provider: string, error: unknown): void;
}

/** The device and place of an ad, as recorded in its events. */
export type Audience = Pick<AdFacts, "zone" | "country" | "device" | "firstDay" | "sdkVersion"> & { format: Format };

/** An ad that can be shown and counted. */
export interface MadeAd {
  candidate: Ranked<BidCandidate>;
  bid: PartnerBid;
  facts: AdFacts;
  beacons: LazyBeaconUrls;
  markup: { type: "html" | "mraid" | "vast" | "native"; content: string };
  /** Of a line item's ad. */
  line?: AuctionLine;
}

/** The renderer: our SDK has its own frame and reports impressions itself; a page only writes the markup. */
export type Renderer = "sdk" | "page";

/** Makes the ad of a candidate; null if its markup cannot be shown and counted. */
export function makeAd(
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
  const line = auction.setup.lines?.lineOf(candidate);
  const facts = factsOf(deps, auction, candidate, bid, audience, own ?? line);
  const creative = own && creativeOf(own);
  // A line item's bid has no notices either.
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
  const draft = { candidate, bid, facts, beacons, ...(line && { line }) };
  // The SDK calls an adapter, which brings its own ad.
  if (isAdapter(line)) return { ...draft, markup: { type: "html", content: "" } };
  const text = filledMarkup(auction, candidate, adm, imp, line);
  return withMarkup(deps, draft, { text, imp, clickToken: tokens.click, renderer });
}

/** The ad of a partner's bid or a line item's tag, with markup that counts. */
function withMarkup(
  { keyring, onRefusedVast }: AdDeps,
  draft: Omit<MadeAd, "markup">,
  { text, imp, clickToken, renderer }: { text: string; imp: Imp; clickToken: string; renderer: Renderer },
): MadeAd | null {
  const { candidate, facts, beacons } = draft;
  switch (candidate.mediaType) {
    case "banner": {
      const asks = asksForMraid(text);
      if (renderer === "sdk") return { ...draft, markup: { type: asks ? "mraid" : "html", content: text } };
      const content = asks && hasMraid(imp) ? containerHtml(text, beacons) : framedHtml(text, candidate, beacons);
      return { ...draft, markup: { type: "html", content } };
    }
    case "native": {
      // Our SDKs open web addresses alone.
      const native = trackedNative(text, imp, beacons, { opensApps: renderer === "page" });
      if (!native) return null;
      const leadingOn = beacons.withDestination(signedDestination(keyring, clickToken, native.url));
      return { ...draft, beacons: leadingOn, markup: { type: "native", content: native.json } };
    }
    case "video":
    case "audio": {
      const isAudio = candidate.mediaType === "audio";
      const vast = trackedVast(text, {
        adId: facts.auctionId,
        beacons,
        isAudio,
        place: isAudio ? imp.audio : imp.video,
      });
      if (vast.ok) return { ...draft, markup: { type: "vast", content: vast.xml } };
      onRefusedVast(vast.reason);
      return null;
    }
  }
}

/** The markup of a bid or a line item's tag with its macros filled. */
function filledMarkup(
  auction: AuctionResult,
  candidate: Ranked<BidCandidate>,
  adm: string,
  imp: Imp,
  line: AuctionLine | undefined,
): string {
  if (line) return fillTag(adm, auction.setup, imp, line.item.gvlId);
  return adm.includes("AUCTION_")
    ? expandMacros(adm, macrosOf(auction, candidate, candidate.clearingPriceMicros))
    : adm;
}

/** With bounds, and never beyond another tag: markup is up to a bidder, and repeated beginnings must cost no more than its length. */
const MRAID_SCRIPT = /<script\b[^<>]{0,200}?\bsrc\s*=\s*["']?[^<>"'\s]{0,200}\bmraid\.js\b/i;

/** Whether a creative asks its container for MRAID, as it must (MRAID 3.0, "Identification"). */
export const asksForMraid = (html: string): boolean => MRAID_SCRIPT.test(html);

const MRAID: readonly number[] = [API.mraid1, API.mraid2, API.mraid3];

/** Whether a place says that its container has MRAID. */
const hasMraid = ({ banner }: Imp): boolean => banner?.api?.some((api) => MRAID.includes(api)) === true;

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
      const native = trackedNative(adm, imp, beacons.withoutClick(), { opensApps: true });
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

export const isAdapter = (line: AuctionLine | undefined): boolean => line?.item.source.kind === "sdk";

const MAX_ID = 64;

function factsOf(
  { adLifeMs }: AdDeps,
  { setup, decision }: AuctionResult,
  candidate: Ranked<BidCandidate>,
  { bid }: PartnerBid,
  audience: Audience,
  own: ChosenAd | InhouseAd | AuctionLine | undefined,
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

function providerOf(own: ChosenAd | InhouseAd | AuctionLine | undefined): string | undefined {
  if (own === undefined) return undefined;
  return ("item" in own ? LINE_PROVIDER : "creative" in own ? CAMPAIGN_PROVIDER : INHOUSE_PROVIDER).id;
}

/** For an ad that nobody pays this platform for; nothing is held for it. */
const unpaid = (id: number) => ({ id, creativeId: 0, leaseId: "", costMicros: 0, arm: "", deviceSha1: "" });

function campaignFacts(
  own: ChosenAd | InhouseAd | AuctionLine,
  { request: { device }, privacy }: AuctionResult["setup"],
  costMicros: number,
): CampaignFacts {
  if ("item" in own) {
    const { item, statedMicros, expectedMicros } = own;
    return { ...unpaid(item.id), line: { statedMicros, expectedMicros } };
  }
  if (!("creative" in own)) return unpaid(own.campaign.id);
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

/** The SHA-1 of an advertising id as it is spelled on its platform, in hexadecimal; empty without one. */
function advertisingIdSha1({ ifa, os = "" }: Device = {}): string {
  if (!isOwnId(ifa)) return "";
  const id = os.toLowerCase() === "ios" ? ifa.toUpperCase() : ifa.toLowerCase();
  return createHash("sha1").update(id).digest("hex");
}

const trackingOf = ({ trackingUrl }: { trackingUrl: string }): ImpressionNotices =>
  trackingUrl === "" ? NO_NOTICES : { billing: trackingUrl };
