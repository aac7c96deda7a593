import { isOwnId } from "@millrace/contract";
import { formatOfImp } from "@millrace/auction";
import {
  type BidRequest,
  type BidResponse,
  type Imp,
  NBR,
  nameNativeAssets,
  upgradeTo26,
  validateBidRequest,
} from "@millrace/openrtb";
import { Problem } from "../../../platform/http/problem.ts";
import { type Answered, recordAuction, type RecordDeps } from "../auction/record-auction.ts";
import { deadlineOf, newAuctionId, runAuction, type RunDeps } from "../auction/run-auction.ts";
import type { AppConfig } from "../config/snapshot.ts";
import { deviceHash } from "../delivery/secrets.ts";
import type { Geo } from "../facts/geo.ts";
import type { Client } from "../http/client.ts";
import { type ConfigSource, configuration } from "../http/configuration.ts";
import { parseJson } from "../http/json.ts";
import { type CallLimits, limitCall, limitImps } from "../http/limit-calls.ts";
import type { AdDeps, Audience, MadeAd } from "../markup/make-ad.ts";
import { makeAds } from "../markup/make-ads.ts";
import type { MarkupCache } from "../markup/markup-cache.ts";
import { buildResponse, seatOf } from "./build-response.ts";
import { completeRequest } from "./complete-request.ts";
import { findInventory } from "./find-inventory.ts";
import { adjustedMicros, completeStoredImps, type PrebidAsk, readPrebid, storedRequestOf } from "./prebid.ts";

export interface OpenrtbDeps {
  config: ConfigSource;
  limits: CallLimits;
  geo: Geo;
  auction: RunDeps;
  ads: AdDeps;
  zones: { nameToSell(app: AppConfig, zone: string): string };
  markupCache: MarkupCache;
  records: RecordDeps;
}

/**
 * Validates a body against OpenRTB 2.6; Problem `invalid` names the wrong field, such as `imp[0].banner.w`. The number
 * of imps is limited, because each is sent to every partner.
 */
export function readBidRequest(body: unknown, maxImps: number): BidRequest {
  const verdict = validateBidRequest(completeStoredImps(parseJson(body)));
  if (!verdict.ok) throw new Problem("invalid", { [verdict.error.path || "body"]: verdict.error.message });
  if (verdict.request.imp.length > maxImps) throw new Problem("invalid", { imp: `must have at most ${maxImps} items` });
  return { ...verdict.request, imp: verdict.request.imp.map(nameNativeAssets) };
}

/** Executes the auction of an OpenRTB request. An unknown app or site gets a no-bid with the reason. */
export async function sellOpenrtb(
  deps: OpenrtbDeps,
  received: BidRequest,
  client: Client,
  arrivedAt: number,
): Promise<BidResponse> {
  const snapshot = configuration(deps.config);
  const app = findInventory(snapshot, received);
  const prebid = readPrebid(received, snapshot);
  if (!app) {
    limitImps(deps.limits, client, received.imp.length);
    return { id: received.id, cur: "USD", nbr: NBR.blockedPublisher, ...(prebid && { seatbid: [] }) };
  }
  limitCall(deps.limits, client, app, received.imp.length);
  const tmaxMs = deadlineOf(deps.auction, received.tmax);
  const { request: completed, country } = completeRequest(received, { client, geo: deps.geo, app, tmaxMs });
  // OpenRTB 2.5 marks a rewarded imp at another place, and its format decides the publisher's floor.
  const request = upgradeTo26(completed);
  const formats = Object.fromEntries(request.imp.map((imp) => [imp.id, formatOfImp(imp)]));
  const device = deviceHash(deps.ads.keyring, deviceIdOf(request, client));
  const auction = await runAuction(deps.auction, {
    auctionId: newAuctionId(),
    configVersion: snapshot.version,
    app,
    request,
    formats,
    paramsInRequest: prebid?.paramsInRequest,
    country,
    device,
    arrivedAt,
    tmaxMs,
  });
  const answers = auction.setup.offers.map(({ imp, format }): Answered<MadeAd> => {
    const impId = imp.id;
    const zone = deps.zones.nameToSell(app, zoneOf(imp));
    const audience = { zone, country, device, firstDay: 0, sdkVersion: "", format };
    return { impId, audience, ads: adsOf(deps, auction, impId, audience, prebid) };
  });
  const response = buildResponse(
    auction,
    answers.map(({ ads }) => ads),
    prebid,
    deps.markupCache,
  );
  recordAuction(deps.records, auction, answers, performance.now() - arrivedAt);
  return response;
}

/** A server gets the winner; a Prebid client, which executes its own auction, gets each bidder's best, in the order of what it is told of prices. */
function adsOf(
  deps: OpenrtbDeps,
  auction: Parameters<typeof makeAds>[1],
  impId: string,
  audience: Audience,
  prebid: PrebidAsk | null,
): MadeAd[] {
  if (!prebid) return makeAds(deps.ads, auction, impId, audience, { renderer: "page", limit: 1 });
  const all = makeAds(deps.ads, auction, impId, audience, { renderer: "page", limit: Infinity });
  const seen = new Set<string>();
  const best = all.filter((ad) => {
    const seat = seatOf(auction, ad);
    return !seen.has(seat) && seen.add(seat);
  });
  if (prebid.factors.size === 0) return best;
  const adjustedPrice = (ad: MadeAd) => adjustedMicros(prebid, seatOf(auction, ad), ad.facts.priceMicros);
  return best.sort((one, other) => adjustedPrice(other) - adjustedPrice(one));
}

const MAX_ZONE = 64;
const NAMELESS_ZONE = "openrtb";

/**
 * The imp's zone: `/1234/home#1` becomes `_1234_home_1`. Prebid's SDK for apps sends it as the id of a stored imp. `.` and `..` are not
 * zones, because no address can end in them.
 */
function zoneOf({ tagid, ext }: Imp): string {
  const gpid = ext?.["gpid"];
  const name = tagid || storedRequestOf(ext) || (typeof gpid === "string" ? gpid : "");
  const zone = name.slice(0, MAX_ZONE).replaceAll(/[^A-Za-z0-9_.:-]/g, "_");
  return /^\.{0,2}$/.test(zone) ? NAMELESS_ZONE : zone;
}

/** The best available device identity in a request. */
function deviceIdOf({ device, user }: BidRequest, client: Client): string {
  const { ifa, ip, ipv6, ua } = device ?? {};
  return [ifa, user?.id].find(isOwnId) ?? `${ip ?? ipv6 ?? client.ip} ${ua ?? client.userAgent}`;
}
