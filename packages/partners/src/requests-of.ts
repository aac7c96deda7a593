import { type BidRequest, isObject, MEDIA_TYPES, type MediaType } from "@millrace/openrtb";
import type {
  Adapter,
  AdapterRequest,
  MalformedBid,
  PartnerBid,
  PartnerHttpRequest,
  PartnerSettings,
} from "./adapter/adapter.ts";
import { bySoleType, standardType } from "./adapter/media-type-of-bid.ts";
import { prepareOutgoing } from "./adapter/prepared-request.ts";
import { findAdapter, type PartnerId } from "./catalogue.ts";

/** The operator's settings for a partner; any other text is one of the platform's own ids there. */
export type Host = PartnerSettings & { readonly [id: string]: unknown };

export interface RequestOptions {
  host?: Host;
  /** US dollars per unit of a currency, as of today. */
  ratesToUsd?: Readonly<Record<string, number>>;
}

/** What went wrong. `invalid_request`: not a bid request. For the others see `PARTNER_ERROR_CODES`. */
export interface RequestsError {
  code: "unknown_partner" | "invalid_request" | "request_failed" | "http_error" | "malformed_response";
  message: string;
}

/** A response as it came: names of headers in lower case; `body` is its text, or what that parses to. */
export interface PartnerResponse {
  status: number;
  headers: Record<string, string | undefined>;
  body?: unknown;
}

export interface BidsOf {
  currency: string;
  bids: (PartnerBid & { mediaType: MediaType })[];
  /** Bids that cannot be used, or whose media type is unknown. */
  malformed: MalformedBid[];
}

/**
 * The requests that an adapter makes of a bid request (OpenRTB 2.6) with the publisher's keys at `imp[].ext.bidder`. The
 * request is taken as it is: nothing personal is removed from it, and nothing is added. Never throws.
 */
export function requestsOf(
  partner: PartnerId | Adapter,
  request: BidRequest,
  options: RequestOptions = {},
): PartnerHttpRequest[] | RequestsError {
  const question = questionOf(partner, request, options);
  if ("code" in question) return question;
  const calls = question.adapter.buildRequests(question.ask);
  if (!calls.ok) return { code: calls.code, message: calls.message };
  return calls.requests;
}

/** The bids of a response to `outgoing`, one of `requestsOf(partner, request)`. Never throws. */
export function bidsOf(
  partner: PartnerId | Adapter,
  response: PartnerResponse,
  request: BidRequest,
  outgoing: PartnerHttpRequest,
  options: RequestOptions = {},
): BidsOf | RequestsError {
  const question = questionOf(partner, request, options);
  if ("code" in question) return question;
  const body = typeof response.body === "string" ? parsed(response.body) : response.body;
  if (body === BROKEN && response.status === 200)
    return { code: "malformed_response", message: "the answer is no JSON" };
  const read = question.adapter.readResponse(
    { status: response.status, headers: response.headers ?? {}, body },
    outgoing,
    question.ask,
  );
  if (!read.ok) return { code: read.code, message: read.message };
  const answered: BidsOf = { currency: read.cur, bids: [], malformed: [...read.malformed] };
  for (const partnerBid of read.bids) {
    const mediaType = partnerBid.mediaType ?? typeOf(partnerBid, request);
    if (mediaType !== undefined) answered.bids.push({ ...partnerBid, mediaType });
    else {
      const { id: bidId, impid: impId } = partnerBid.bid;
      answered.malformed.push({ bidId, impId, path: "mtype", message: "is missing, and the imp does not tell it" });
    }
  }
  return answered;
}

/** The auction's rule: `mtype`, otherwise the only type that the imp sells. */
function typeOf({ bid }: PartnerBid, request: BidRequest): MediaType | undefined {
  const imp = request.imp.find(({ id }) => id === bid.impid);
  return standardType(bid, { imp, answer: NO_ANSWER }) ?? soleType(bid, { imp, answer: NO_ANSWER });
}

const soleType = bySoleType(...MEDIA_TYPES);
const NO_ANSWER = { status: 200, headers: {}, body: undefined };

function questionOf(
  partner: PartnerId | Adapter,
  request: unknown,
  { host = {}, ratesToUsd }: RequestOptions,
): { adapter: Adapter; ask: AdapterRequest } | RequestsError {
  const adapter = typeof partner === "string" ? findAdapter(partner) : partner;
  if (!adapter) return { code: "unknown_partner", message: "there is no adapter of this id" };
  if (!isRequest(request)) return { code: "invalid_request", message: "must have an id and imps with ids" };
  try {
    const imps = request.imp.map((imp) => {
      const keys = imp.ext?.["bidder"];
      return { imp, keys: isObject(keys) ? keys : {} };
    });
    const ask = {
      request: prepareOutgoing(request),
      imps,
      settings: settingsOf(host),
      ...(ratesToUsd && { ratesToUsd }),
    };
    return { adapter, ask };
  } catch {
    return { code: "invalid_request", message: "is not a bid request" };
  }
}

function isRequest(value: unknown): value is BidRequest {
  if (!isObject(value) || typeof value["id"] !== "string" || !Array.isArray(value["imp"])) return false;
  return value["imp"].every((imp: unknown) => isObject(imp) && typeof imp["id"] === "string");
}

function settingsOf({ platformIds, ...host }: Host): PartnerSettings {
  const own = Object.entries(host).filter(([, value]) => typeof value === "string") as [string, string][];
  return { ...host, platformIds: { ...Object.fromEntries(own), ...platformIds } };
}

const BROKEN = Symbol("no JSON");

function parsed(body: string): unknown {
  if (body.trim() === "") return undefined;
  try {
    return JSON.parse(body);
  } catch {
    return BROKEN;
  }
}
