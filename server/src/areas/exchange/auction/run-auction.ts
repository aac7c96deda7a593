import { randomUUID } from "node:crypto";
import { type AdFormat, type AuctionInput, exclusionsIn, offersOf } from "@millrace/auction";
import { type BidRequest, CONNECTION_TYPE, upgradeTo26 } from "@millrace/openrtb";
import { CAMPAIGN_PROVIDER, INHOUSE_PROVIDER, LINE_PROVIDER, isOwnId } from "@millrace/contract";
import { dayOf, sharePpmOn } from "@millrace/units";
import type { Clock } from "../../../platform/clock.ts";
import type { AuctionCampaigns } from "../campaigns/auction-campaigns.ts";
import { inhouseOf } from "../campaigns/auction-inhouse.ts";
import { regionOf } from "../facts/regions.ts";
import type { CampaignRequest } from "../campaigns/choose-campaigns.ts";
import type { InhouseBook } from "../campaigns/inhouse-book.ts";
import type { KnownSwitches, SwitchedOff } from "../config/kill-switches.ts";
import type { AppConfig } from "../config/snapshot.ts";
import { type KnownFills, type KnownPrices, linesOf } from "../line-items/auction-lines.ts";
import { applyAppRules, withOwnNode } from "../facts/app-rules.ts";
import { campaignPlatformOf } from "../facts/campaign-platform.ts";
import { worldRegionOf } from "../facts/world-region.ts";
import { withFloors } from "../facts/with-floors.ts";
import { consentFor, privacyOf } from "../privacy/privacy-of.ts";
import { type AuctionDeps, type AuctionResult, executeAuction } from "./execute-auction.ts";
import { drawFloors, type KnownFloors } from "./draw-floors.ts";
import { type KnownSkips, withSkips } from "./skip-partners.ts";
import { type RequestParams, biddersForApp, biddersForRequest } from "./bidders.ts";

/** The part of the deadline reserved for deciding, signing and sending the response, also when garbage is collected in it. */
const ANSWER_MS = 10;

export interface RunDeps extends AuctionDeps {
  /** From a request's arrival to its response. */
  deadlineMs: number;
  /** The share of auctions whose trace is kept; 1 keeps all. */
  traceShare: number;
  clock: Clock;
  /** The share of publishers without one of their own. */
  platformSharePpm: number;
  /** Where the platform's sellers.json is: its name in supply chains. */
  sellerDomain: string;
  /** Chooses the campaigns that bid in an auction; absent if the exchange buys for none. */
  campaigns?:
    | { choose(request: CampaignRequest, isTraced: boolean): AuctionCampaigns | null | Promise<AuctionCampaigns> }
    | undefined;
  /** The in-house campaigns by app. */
  inhouse: Pick<InhouseBook, "of">;
  /** Where the GDPR applies to a request that says nothing about it. */
  gdprCountries: ReadonlySet<string>;
  /** The exchange rates of the moment. */
  rates: { toUsd(nowMs: number): Readonly<Record<string, number>> };
  /** The operator's kill switches. */
  switches: KnownSwitches;
  /** Where partners need not be asked, for the apps that skip them. */
  skips: KnownSkips;
  /** What is believed of line items' prices. */
  linePrices: KnownPrices;
  /** Where line items are predicted to have no ad, for the apps that skip them. */
  lineFills: KnownFills;
  /** The learned floors of the apps whose floors are automatic. */
  floors: KnownFloors;
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
  /** Of the SDK that asks; absent for servers and players. */
  sdkVersion?: string;
  /** `performance.now()` when the request arrived. */
  arrivedAt: number;
  /** How long the caller waits. */
  tmaxMs: number;
  /** The ad is shown whatever its price, so in-house ads and line items take part: the caller compares it with no other source. */
  isPlace?: true;
  /** The SDK that asks cannot play the format: nothing but an adapter of its app may. */
  isUnplayable?: boolean;
  /** The adapters of line items that the caller has. */
  adapters?: readonly string[] | undefined;
  /** The only provider that may bid; only of tests. */
  onlyProvider?: string | undefined;
}

export const newAuctionId = (): string => randomUUID();

/** The time of an auction from the arrival of its request: the platform's deadline, or the request's if it is shorter. */
export const deadlineOf = ({ deadlineMs }: RunDeps, tmaxMs = deadlineMs): number => Math.min(deadlineMs, tmaxMs);

/** Executes the auction of a request under the privacy rules that apply to it. */
export async function runAuction(deps: RunDeps, order: AuctionOrder): Promise<AuctionResult> {
  const { app, paramsInRequest, tmaxMs } = order;
  const { formats, country, isUnplayable = false } = order;
  // Privacy signals are also read from their OpenRTB 2.5 places.
  const own = { asi: deps.sellerDomain, sid: app.sellerId };
  const ruled = withOwnNode(applyAppRules(upgradeTo26(order.request), app), own);
  const at = deps.clock.now();
  const ratesToUsd = usableRates(ruled, deps.rates.toUsd(at));
  // The owner's list of test devices applies even if bidders may not learn the device's id.
  const { ifa } = ruled.device ?? {};
  const isForTest = isOwnId(ifa) && app.testDevices.has(ifa.toLowerCase());
  const isTest = isForTest || ruled.test === 1;
  const sale = { request: ruled, formats, app: app.facts, device: { country }, ratesToUsd };
  const published = offersOf(sale);
  const floorDraws = isTest ? undefined : drawFloors(deps.floors, order, published);
  const { request, offers } = withFloors(ruled, floorDraws ? offersOf({ ...sale, floorDraws }) : published, ratesToUsd);
  const privacy = privacyOf(request, deps.tcf, { isGdprCountry: deps.gdprCountries.has(country) });
  const { auctionId, device } = order;
  const facts = deviceFacts(order);
  const off = deps.switches.of({ appId: app.id, sdkVersion: order.sdkVersion ?? "", country });
  const isServed = isServedTo(order, off);
  const isKept = isTraced(deps, auctionId);
  const bidders = biddersOf(deps, order, { request, offers, isTest });
  const mayBid = (provider: string) => order.onlyProvider === undefined || order.onlyProvider === provider;
  // A request that names its partners gets no others.
  const childDirected = app.facts.childDirected || request.regs?.coppa === 1;
  const exclusions = exclusionsIn({ request, app: app.facts });
  const mayCampaignsBid = isServed && paramsInRequest === undefined && mayBid(CAMPAIGN_PROVIDER.id);
  const choosing = mayCampaignsBid
    ? (deps.campaigns?.choose(
        { auctionId, at, demo: app.demo, facts, childDirected, exclusions, device, offers, ratesToUsd, isTest },
        isKept,
      ) ?? null)
    : null;
  const campaigns = choosing instanceof Promise ? await choosing : choosing;
  const inhouse =
    order.isPlace && isServed && mayBid(INHOUSE_PROVIDER.id)
      ? inhouseOf(deps.inhouse, { auctionId, appId: app.id, facts, offers, isTraced: isKept })
      : null;
  const ownLines = paramsInRequest === undefined && mayBid(LINE_PROVIDER.id) ? app.lineItems : [];
  const consent = consentFor(privacy, [
    ...bidders.participants.map(({ gvlId }) => gvlId),
    ...ownLines.map(({ gvlId }) => gvlId),
  ]);
  const { adapters = [], isPlace = false } = order;
  const lines = linesOf(ownLines, {
    auctionId,
    appId: app.id,
    country,
    platform: app.platform,
    offers,
    consent,
    adapters,
    isPlace,
    explorationShare: app.explorationShare,
    known: deps.linePrices,
    fills: fillsFor(deps, app, isTest),
    isTraced: isKept,
  });
  return executeAuction(deps, {
    auctionId,
    at,
    deadlineAt: order.arrivedAt + Math.max(1, tmaxMs - ANSWER_MS),
    deadlineMs: tmaxMs,
    isHurried: tmaxMs < deps.deadlineMs,
    configVersion: order.configVersion,
    app,
    revenueSharePpm: sharePpmOn(dayOf(at), app.shares, deps.platformSharePpm),
    // Tells bidders that a test is not paid (OpenRTB 2.6, section 3.2.1).
    request: isForTest ? { ...request, test: 1 } : request,
    formats,
    offers,
    exclusions,
    floorDraws,
    device: facts,
    privacy,
    ratesToUsd,
    consent,
    bidders,
    switchedOff: off,
    isUnplayable,
    campaigns,
    mayCampaignsWin: mayCampaignsBid && takesDollars(ruled),
    inhouse,
    lines,
    isTraced: isKept,
  });
}

/** A test tries what no other request does. */
const fillsFor = ({ lineFills }: RunDeps, { skipsPartners }: AppConfig, isTest: boolean): KnownFills | null =>
  skipsPartners && !isTest ? lineFills : null;

/** Whether campaigns and in-house ads are chosen at all. */
const isServedTo = ({ app, isUnplayable }: AuctionOrder, off: SwitchedOff | null): boolean =>
  app.facts.live && off?.everything !== true && isUnplayable !== true;

const takesDollars = ({ cur = [] }: BidRequest): boolean => cur.length === 0 || cur.includes("USD");

/** Answers are in dollars: a caller that does not accept dollars gets none, whatever the rates are. */
const usableRates = (request: BidRequest, rates: Readonly<Record<string, number>>): Record<string, number> =>
  takesDollars(request) ? { ...rates } : {};

function deviceFacts({ app, request, country }: AuctionOrder): AuctionInput["device"] {
  const { osv, connectiontype, geo } = request.device ?? {};
  const worldRegion = worldRegionOf(country);
  return {
    country,
    region: regionOf(country, geo?.region),
    ...(worldRegion && { worldRegion }),
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

/** The partners that the request names, or that the app has. A test shows what every one of them does, and so does a request that names them. */
function biddersOf(
  deps: RunDeps,
  { app, paramsInRequest, onlyProvider, auctionId, country }: AuctionOrder,
  { request, offers, isTest }: { request: BidRequest; offers: ReturnType<typeof offersOf>; isTest: boolean },
) {
  const all = paramsInRequest
    ? biddersForRequest(app, paramsInRequest, deps.breakers)
    : biddersForApp(app, request.imp, deps.breakers);
  const { participants } = all;
  if (onlyProvider !== undefined) return { ...all, participants: participants.filter(({ id }) => id === onlyProvider) };
  if (isTest || paramsInRequest !== undefined || !app.skipsPartners) return all;
  return { ...all, participants: withSkips(participants, deps.skips, { auctionId, app, country, offers }) };
}

/** Sampled by the auction's id, so that every process chooses the same ones. */
function isTraced({ traceShare }: RunDeps, auctionId: string): boolean {
  return Number.parseInt(auctionId.slice(0, 8), 16) < traceShare * 2 ** 32;
}
