import { formatOfImp } from "@millrace/auction";
import {
  type BidRequest,
  type BidResponse,
  type Imp,
  NBR,
  nameNativeAssets,
  validateBidRequest,
} from "@millrace/openrtb";
import { Problem } from "../../../platform/http/problem.ts";
import { type Answered, deadlineOf, newAuctionId, recordAuction, runAuction } from "../auction/run-auction.ts";
import { configuration, type ExchangeContext, limitCall, limitImps } from "../context.ts";
import { deviceHash } from "../delivery/secrets.ts";
import type { Client } from "../facts/client.ts";
import { type MadeAd, makeAds } from "../markup/make-ad.ts";
import { parseJson } from "../sdk/check.ts";
import { buildResponse } from "./build-response.ts";
import { completeRequest } from "./complete-request.ts";
import { findInventory } from "./find-inventory.ts";
import { type PrebidAsk, readPrebid } from "./prebid.ts";

/**
 * Validates a body against OpenRTB 2.6; Problem `invalid` names the wrong field, such as `imp[0].banner.w`. The number
 * of imps is limited, because each is sent to every partner.
 */
export function readBidRequest(body: unknown, maxImps: number): BidRequest {
  const verdict = validateBidRequest(parseJson(body));
  if (!verdict.ok) throw new Problem("invalid", { [verdict.error.path || "body"]: verdict.error.message });
  if (verdict.request.imp.length > maxImps) throw new Problem("invalid", { imp: `must have at most ${maxImps} items` });
  return { ...verdict.request, imp: verdict.request.imp.map(nameNativeAssets) };
}

/** Executes the auction of an OpenRTB request. An unknown app or site gets an answer too, with the reason. */
export async function sellOpenrtb(
  context: ExchangeContext,
  given: BidRequest,
  client: Client,
  arrivedAt: number,
): Promise<BidResponse> {
  const snapshot = configuration(context);
  const app = findInventory(snapshot, given);
  const prebid = readPrebid(given, snapshot);
  if (!app) {
    limitImps(context, client, given.imp.length);
    return { id: given.id, cur: "USD", nbr: NBR.blockedPublisher, ...(prebid && { seatbid: [] }) };
  }
  limitCall(context, client, app, given.imp.length);
  const tmaxMs = deadlineOf(context, given.tmax);
  const { request, country } = completeRequest(given, client, context.geo, tmaxMs);
  const formats = Object.fromEntries(request.imp.map((imp) => [imp.id, formatOfImp(imp)]));
  const auction = await runAuction(context, {
    auctionId: newAuctionId(),
    app,
    request,
    formats,
    paramsInRequest: prebid?.paramsInRequest,
    country,
    arrivedAt,
    tmaxMs,
  });
  const device = deviceHash(context.ads.keyring, deviceIdOf(request, client));
  const answered = auction.decision.imps.map(({ impId, format }): Answered => {
    const imp = request.imp.find(({ id }) => id === impId);
    const zone = context.zones.nameToSell(app, zoneOf(imp));
    const audience = { zone, country, device, firstDay: 0, sdkVersion: "", format };
    return { impId, audience, ads: adsOf(context, auction, impId, audience, prebid) };
  });
  const response = buildResponse(
    auction,
    answered.map(({ ads }) => ads),
    prebid,
    context.vastCache,
  );
  recordAuction(context, auction, answered, performance.now() - arrivedAt);
  return response;
}

/** A server gets the winner; a Prebid client, which executes its own auction, gets each bidder's best. */
function adsOf(
  context: ExchangeContext,
  auction: Parameters<typeof makeAds>[1],
  impId: string,
  audience: Answered["audience"],
  prebid: PrebidAsk | null,
): MadeAd[] {
  if (!prebid) return makeAds(context.ads, auction, impId, audience, { renderer: "page", limit: 1 });
  const all = makeAds(context.ads, auction, impId, audience, { renderer: "page", limit: Infinity });
  const seen = new Set<string>();
  return all.filter(({ facts: { provider } }) => !seen.has(provider) && seen.add(provider));
}

const MAX_ZONE = 64;
const NAMELESS_ZONE = "openrtb";

/** The place's name, spelled as zones are: `/1234/home#1` is `_1234_home_1`. No address can end in `.` or `..`. */
function zoneOf(imp: Imp | undefined): string {
  const gpid = imp?.ext?.["gpid"];
  const name = imp?.tagid ?? (typeof gpid === "string" ? gpid : "");
  const zone = name.slice(0, MAX_ZONE).replaceAll(/[^A-Za-z0-9_.:-]/g, "_");
  return /^\.{0,2}$/.test(zone) ? NAMELESS_ZONE : zone;
}

/** The best available device identity in a request. */
function deviceIdOf({ device, user }: BidRequest, client: Client): string {
  const { ifa, ip, ipv6, ua } = device ?? {};
  return ifa ?? user?.id ?? `${ip ?? ipv6 ?? client.ip} ${ua ?? client.userAgent}`;
}
