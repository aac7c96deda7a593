import type { AuctionInput, PartnerResponse, RecordedBid, Trace } from "@millrace/auction";
import { isObject } from "@millrace/openrtb";
import { prepareRequest } from "@millrace/partners";
import { storedKeys } from "../auction/bidders.ts";
import type { AppConfig } from "../config/snapshot.ts";
import { isRuleCode, partsRemovedBy } from "../privacy/privacy-table.ts";
import { redactRequest } from "../privacy/redact-request.ts";
import { stateSignals } from "../privacy/state-signals.ts";

/** Stands for what was removed before storage. */
const HIDDEN = "hidden";

/** The request as the trace has it, without the hash that stands for the device's id. */
export function recordedRequest({ request }: Pick<AuctionInput, "request">): object {
  if (request.device?.ifa === undefined) return request;
  return { ...request, device: { ...request.device, ifa: HIDDEN } };
}

/** The request of a call as the partner's adapter made it. */
interface SentRequest {
  version: "2.5" | "2.6";
  body: unknown;
}

/**
 * The requests of a partner's calls, made again by its adapter from the trace: the same bytes but for what is removed before
 * storage. Null if they cannot be made again: traces have no keys, so the configuration must be the auction's, and a
 * request that brings keys of its own does not say which of them applied.
 */
export function sentRequests(
  { input, decision }: Trace,
  participantId: string,
  { app, configVersion }: { app: AppConfig; configVersion: string },
): readonly SentRequest[] | null {
  const partner = app.demandByPartner.get(participantId)?.partner;
  const impIds = decision.eligible.find((each) => each.participantId === participantId)?.impIds ?? [];
  if (!partner || input.configVersion !== configVersion) return null;
  if (input.request.imp.some(({ ext }) => isObject(ext?.["prebid"]))) return null;
  const redaction = input.redactions?.find(({ participantIds }) => participantIds.includes(participantId));
  const rules = (redaction?.rules ?? []).filter(isRuleCode);
  const { request } = redactRequest(stateSignals(input.request, input.consent), partsRemovedBy(rules));
  const imps = input.request.imp
    .filter(({ id }) => impIds.includes(id))
    .map((imp) => ({ imp, keys: storedKeys(app, participantId, imp) ?? {} }));
  const { adapter, settings } = partner;
  const tmaxMs = input.tmaxes?.find((each) => each.participantId === participantId)?.tmaxMs;
  const built = adapter.buildRequests({
    request: prepareRequest(request),
    imps,
    settings,
    ratesToUsd: input.ratesToUsd,
    tmaxMs,
  });
  if (!built.ok || built.requests.some(({ headers }) => !/\bjson\b/.test(headers["content-type"] ?? ""))) return null;
  return built.requests.map(({ body }) => ({
    version: settings.openrtbVersion ?? "2.6",
    body: recordedRequest({ request: JSON.parse(body) as AuctionInput["request"] }),
  }));
}

/** The response of a call in OpenRTB's form, with what the trace has of it; null without a body that could be read. */
export function recordedAnswer(auctionId: string, response: PartnerResponse): object | null {
  const { status, bids, nbr, httpStatus } = response;
  if ((status !== "bid" && status !== "no_bid") || httpStatus === 204) return null;
  const seats = new Map<string | undefined, RecordedBid[]>();
  for (const bid of bids) seats.set(bid.seat, [...(seats.get(bid.seat) ?? []), bid]);
  const cur = bids[0]?.cur;
  return {
    id: auctionId,
    ...(cur !== undefined && { cur }),
    ...(nbr !== undefined && { nbr }),
    ...(bids.length > 0 && {
      seatbid: [...seats].map(([seat, seatBids]) => ({
        ...(seat !== undefined && { seat }),
        bid: seatBids.map(bidAsSent),
      })),
    }),
  };
}

// JSON leaves out what is undefined.
const bidAsSent = (bid: RecordedBid) => ({
  id: bid.bidId,
  impid: bid.impId,
  price: bid.priceMicros === null ? null : bid.priceMicros / 1_000_000,
  dealid: bid.dealId,
  crid: bid.crid,
  adomain: bid.adomain,
  cat: bid.cat,
  cattax: bid.cattax,
  attr: bid.attr,
  bundle: bid.bundle,
  mtype: bid.mtype,
  w: bid.w,
  h: bid.h,
  wratio: bid.wratio,
  hratio: bid.hratio,
  dur: bid.dur,
  protocol: bid.protocol,
  adm: bid.markupLength === 0 ? undefined : `${bid.markupLength} characters, not stored`,
});
