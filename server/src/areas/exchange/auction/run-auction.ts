import { randomUUID } from "node:crypto";
import { type AdFormat, type AuctionInput, offersOf } from "@millrace/auction";
import { type BidRequest, CONNECTION_TYPE, upgradeTo26 } from "@millrace/openrtb";
import { dayOf, sharePpmOn } from "@millrace/units";
import type { Clock } from "../../../platform/clock.ts";
import type { AuctionCampaigns } from "../campaigns/auction-campaigns.ts";
import { inhouseOf } from "../campaigns/auction-inhouse.ts";
import type { CampaignRequest } from "../campaigns/choose-campaigns.ts";
import type { InhouseBook } from "../campaigns/inhouse-book.ts";
import type { AppConfig } from "../config/snapshot.ts";
import { applyAppRules } from "../facts/app-rules.ts";
import { campaignPlatformOf } from "../facts/campaign-platform.ts";
import { withFloors } from "../facts/with-floors.ts";
import { consentFor, privacyOf } from "../privacy/privacy-of.ts";
import { type AuctionDeps, type AuctionResult, executeAuction } from "./execute-auction.ts";
import { type KnownSkips, withSkips } from "./skip-partners.ts";
import { type RequestParams, biddersForApp, biddersForRequest } from "./bidders.ts";

/** The part of the deadline reserved for deciding, signing and sending the response. */
const ANSWER_MS = 6;

export interface RunDeps extends AuctionDeps {
  /** From a request's arrival to its response. */
  deadlineMs: number;
  /** The share of auctions whose trace is kept; 1 keeps all. */
  traceShare: number;
  clock: Clock;
  /** The share of publishers without one of their own. */
  platformSharePpm: number;
  /** Chooses the campaigns that bid in an auction; absent if the exchange buys for none. */
  campaigns?:
    | { choose(request: CampaignRequest, isTraced: boolean): AuctionCampaigns | null | Promise<AuctionCampaigns> }
    | undefined;
  /** The in-house campaigns by app. */
  inhouse: Pick<InhouseBook, "of">;
  /** Where partners need not be asked, for the apps that skip them. */
  skips: KnownSkips;
}

export interface AuctionOrder {
  auctionId: string;
  configVersion: string;
  app: AppConfig;
  request: BidRequest;
  formats: Record<string, AdFormat>;
  /** The partners that the request names; if absent, all of the app's. */
  paramsInRequest?: readonly RequestParams[] | undefined;
  country: string;
  /** The device's keyed hash, as a decimal string. */
  device: string;
  /** `performance.now()` when the request arrived. */
  arrivedAt: number;
  /** How long the caller waits. */
  tmaxMs: number;
  /** The ad is shown whatever its price, so in-house ads take part: the caller compares it with no other source. */
  isPlace?: true;
}

export const newAuctionId = (): string => randomUUID();

/** The time of an auction from the arrival of its request: the platform's deadline, or the request's if it is shorter. */
export const deadlineOf = ({ deadlineMs }: RunDeps, tmaxMs = deadlineMs): number => Math.min(deadlineMs, tmaxMs);

/** Executes the auction of a request under the privacy rules that apply to it. */
export async function runAuction(deps: RunDeps, order: AuctionOrder): Promise<AuctionResult> {
  const { app, paramsInRequest, tmaxMs } = order;
  const { breakers } = deps;
  const { formats, country } = order;
  // Privacy signals are also read from their OpenRTB 2.5 places.
  const ruled = applyAppRules(upgradeTo26(order.request), app);
  const { request, offers } = withFloors(
    ruled,
    offersOf({ request: ruled, formats, app: app.facts, device: { country } }),
  );
  const privacy = privacyOf(request, deps.tcf);
  const allBidders = paramsInRequest
    ? biddersForRequest(app, paramsInRequest, breakers)
    : biddersForApp(app, request.imp, breakers);
  // The owner's list of test devices applies even if bidders may not learn the device's id.
  const isForTest = app.testDevices.has(request.device?.ifa?.toLowerCase() ?? "");
  const isTest = isForTest || request.test === 1;
  const { auctionId, device } = order;
  const at = deps.clock.now();
  const facts = deviceFacts(order);
  const isKept = isTraced(deps, auctionId);
  // A test shows what every partner does, and so does a request that names them.
  const bidders =
    app.skipsPartners && !isTest && paramsInRequest === undefined
      ? {
          ...allBidders,
          participants: withSkips(allBidders.participants, deps.skips, { auctionId, app, country, offers }),
        }
      : allBidders;
  // A request that names its partners gets no others.
  const choosing =
    app.facts.live && paramsInRequest === undefined
      ? (deps.campaigns?.choose({ auctionId, at, demo: app.demo, facts, device, offers, isTest }, isKept) ?? null)
      : null;
  const campaigns = choosing instanceof Promise ? await choosing : choosing;
  const inhouse =
    order.isPlace && app.facts.live
      ? inhouseOf(deps.inhouse, { auctionId, appId: app.id, facts, offers, isTraced: isKept })
      : null;
  return executeAuction(deps, {
    auctionId,
    at,
    deadlineAt: order.arrivedAt + Math.max(1, tmaxMs - ANSWER_MS),
    deadlineMs: tmaxMs,
    configVersion: order.configVersion,
    app,
    revenueSharePpm: sharePpmOn(dayOf(at), app.shares, deps.platformSharePpm),
    // Tells bidders that a test is not paid (OpenRTB 2.6, section 3.2.1).
    request: isForTest ? { ...request, test: 1 } : request,
    formats,
    offers,
    device: facts,
    privacy,
    consent: consentFor(
      privacy,
      bidders.participants.map(({ gvlId }) => gvlId),
    ),
    bidders,
    campaigns,
    inhouse,
    isTraced: isKept,
  });
}

function deviceFacts({ app, request, country }: AuctionOrder): AuctionInput["device"] {
  const { osv, connectiontype } = request.device ?? {};
  return {
    country,
    platform: app.platform,
    osVersion: osv ?? null,
    network: networkOf(connectiontype),
    campaignPlatform: campaignPlatformOf(app.platform, request.device),
  };
}

function networkOf(type: number | undefined): AuctionInput["device"]["network"] {
  if (type === undefined || type === CONNECTION_TYPE.unknown) return null;
  if (type === CONNECTION_TYPE.wifi) return "wifi";
  return type === CONNECTION_TYPE.ethernet ? "ethernet" : "cellular";
}

/** Sampled by the auction's id, so that every process chooses the same ones. */
function isTraced({ traceShare }: RunDeps, auctionId: string): boolean {
  return Number.parseInt(auctionId.slice(0, 8), 16) < traceShare * 2 ** 32;
}
