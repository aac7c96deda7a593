import { randomUUID } from "node:crypto";
import {
  type AdFormat,
  type AuctionInput,
  describeReason,
  encodeTrace,
  type NoAdReason,
  TRACE_VERSION,
} from "@millrace/auction";
import { type BidRequest, CONNECTION_TYPE, upgradeTo26 } from "@millrace/openrtb";
import { atSeconds } from "../../statistics/index.ts";
import type { AppConfig } from "../config/snapshot.ts";
import { configuration, type ExchangeContext } from "../context.ts";
import { applyAppRules } from "../facts/app-rules.ts";
import { withFloors } from "../facts/with-floors.ts";
import type { Audience, MadeAd } from "../markup/make-ad.ts";
import { consentFor, privacyOf } from "../privacy/privacy-of.ts";
import { type AuctionResult, executeAuction } from "./execute-auction.ts";
import { type RequestParams, biddersForApp, biddersForRequest } from "./bidders.ts";

/** The part of the deadline reserved for deciding, signing and sending the answer. */
const ANSWER_MS = 6;

export interface AuctionOrder {
  auctionId: string;
  app: AppConfig;
  request: BidRequest;
  formats: Record<string, AdFormat>;
  /** The partners that the request names; if absent, all of the app's. */
  paramsInRequest?: readonly RequestParams[] | undefined;
  country: string;
  /** `performance.now()` when the request arrived. */
  arrivedAt: number;
  /** Milliseconds the asker waits. */
  tmaxMs: number;
}

export const newAuctionId = (): string => randomUUID();

/** An auction's time, from the arrival of its request: the platform's limit, or the request's if that is shorter. */
export const deadlineOf = ({ deadlineMs }: ExchangeContext, tmaxMs = deadlineMs): number =>
  Math.min(deadlineMs, tmaxMs);

/** Executes the auction of a request under the privacy rules that apply to it. */
export function runAuction(context: ExchangeContext, order: AuctionOrder): Promise<AuctionResult> {
  const { app, paramsInRequest, tmaxMs } = order;
  const { breakers } = context.auction;
  const { formats, country } = order;
  // Privacy signals are also read from their OpenRTB 2.5 places.
  const ruled = applyAppRules(upgradeTo26(order.request), app);
  const request = withFloors(ruled, { floors: app.facts.floors, country, formats });
  const privacy = privacyOf(request, context.auction.tcf);
  const bidders = paramsInRequest
    ? biddersForRequest(app, paramsInRequest, breakers)
    : biddersForApp(app, request.imp, breakers);
  // The owner's list of test devices applies even if bidders may not learn the device's id.
  const isForTest = app.testDevices.has(request.device?.ifa?.toLowerCase() ?? "");
  return executeAuction(context.auction, {
    auctionId: order.auctionId,
    at: context.clock.now(),
    deadlineAt: order.arrivedAt + Math.max(1, tmaxMs - ANSWER_MS),
    deadlineMs: tmaxMs,
    configVersion: configuration(context).version,
    app,
    // Tells bidders that a test is not paid (OpenRTB 2.6, section 3.2.1).
    request: isForTest ? { ...request, test: 1 } : request,
    formats,
    device: deviceFacts(order),
    privacy,
    consent: consentFor(
      privacy,
      bidders.participants.map(({ gvlId }) => gvlId),
    ),
    bidders,
    isTraced: isTraced(context, order.auctionId),
  });
}

function deviceFacts({ app, request, country }: AuctionOrder): AuctionInput["device"] {
  const { osv, connectiontype } = request.device ?? {};
  return {
    country,
    platform: app.platform,
    osVersion: osv ?? null,
    network: networkOf(connectiontype),
  };
}

function networkOf(type: number | undefined): AuctionInput["device"]["network"] {
  if (type === undefined || type === CONNECTION_TYPE.unknown) return null;
  if (type === CONNECTION_TYPE.wifi) return "wifi";
  return type === CONNECTION_TYPE.ethernet ? "ethernet" : "cellular";
}

/** Sampled by the auction's id, so that every process would choose the same ones. */
function isTraced({ traceShare }: ExchangeContext, auctionId: string): boolean {
  return Number.parseInt(auctionId.slice(0, 8), 16) < traceShare * 2 ** 32;
}

/** One imp's answer, as it is counted. */
export interface Answered {
  impId: string;
  audience: Audience;
  ads: readonly MadeAd[];
}

/** Records the auction and notifies bidders, after the answer is sent. */
export function recordAuction(
  context: ExchangeContext,
  auction: AuctionResult,
  answered: readonly Answered[],
  durationMs: number,
): void {
  context.later(() => {
    context.beacons.notices.onAnswer(
      auction,
      answered.flatMap(({ ads }) => ads.map(({ candidate }) => candidate)),
    );
    const { setup, decision } = auction;
    for (const { impId, ads } of answered) count(context, auction, impId, ads.length > 0);
    // A test is not counted as a request, because it would lower the fill rate of real ones.
    const counted = decision.test ? [] : answered;
    const rows = counted.map((answer) => {
      const zone = context.zones.nameToCount(setup.app.id, answer.audience.zone);
      return context.events.append("auctions", { ...auctionRow(auction, answer, durationMs), zone });
    });
    if (setup.isTraced) {
      const { input, responses } = auction;
      const trace = new TextDecoder().decode(encodeTrace({ version: TRACE_VERSION, input, responses, decision }));
      rows.push(
        context.events.append("traces", {
          at: atSeconds(setup.at),
          auction_id: setup.auctionId,
          app_id: setup.app.id,
          trace,
          demo: setup.app.demo ? 1 : 0,
        }),
      );
    }
    return Promise.all(rows);
  });
}

function count({ tally }: ExchangeContext, { decision }: AuctionResult, impId: string, isSold: boolean): void {
  if (isSold) {
    tally.sold++;
    return;
  }
  const reason = noAdReasonOf(decision, impId);
  tally.unsold.set(reason, (tally.unsold.get(reason) ?? 0) + 1);
}

const MAX_IMP_ID = 64;

function auctionRow({ setup, decision }: AuctionResult, { impId, audience, ads }: Answered, durationMs: number) {
  const [first] = ads;
  return {
    at: atSeconds(setup.at),
    auction_id: setup.auctionId,
    // The store refuses lone surrogates; encoding replaces them.
    imp_id: Buffer.from(impId.slice(0, MAX_IMP_ID)).toString(),
    app_id: setup.app.id,
    format: audience.format,
    country: audience.country,
    platform: setup.app.platform,
    device: audience.device,
    asked: decision.eligible.flatMap((ref) => (ref.impIds.includes(impId) ? [ref.participantId] : [])),
    winner: first?.facts.provider ?? "",
    price_micros: first?.facts.priceMicros ?? 0,
    no_ad: first ? "" : noAdReasonOf(decision, impId),
    duration_ms: Math.round(durationMs * 100) / 100,
    demo: setup.app.demo ? 1 : 0,
  } as const;
}

/** Why an imp has no ad: the decision's reason, or that the winners' markup was unusable. */
export function noAdReasonOf(decision: AuctionResult["decision"], impId: string): NoAdReason {
  return decision.imps.find((imp) => imp.impId === impId)?.noAdReason ?? "invalid_bids";
}

export const sentenceOf = (reason: NoAdReason, deadlineMs: number): string => describeReason(reason, { deadlineMs });
