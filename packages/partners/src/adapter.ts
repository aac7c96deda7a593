import type { Bid, Imp, MediaType } from "@millrace/openrtb";
import type { PreparedRequest } from "./prepared-request.ts";

/** One key that a publisher enters: a JSON Schema property. */
export interface KeyProperty {
  type: "string" | "integer" | "number" | "boolean" | "array";
  /** The type of a list's entries. */
  items?: { type: "string" | "integer" | "number" };
  title: string;
  description?: string;
  pattern?: string;
  enum?: (string | number)[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
}

/** The keys of a partner as a JSON Schema object, from which the dashboard builds its form. */
export interface KeysSchema {
  type: "object";
  title: string;
  properties: Record<string, KeyProperty>;
  required: string[];
  /** One of these groups of keys is enough. */
  anyOf?: { required: string[] }[];
  additionalProperties?: boolean;
}

/** The operator's settings for a partner. */
export interface PartnerSettings {
  /** The address of the requests. The adapter fills in its `{{Name}}` parts. */
  endpoint: string;
  openrtbVersion?: "2.5" | "2.6";
  /** For an adapter without a fixed vendor id. */
  gvlId?: number;
  /** Send request bodies gzipped. */
  gzip?: boolean;
  /** Limits requests to these of the partner's media types. */
  mediaTypes?: MediaType[];
  headers?: Record<string, string>;
  /** The platform's own ids at the partner (supply id, seller name). */
  platformIds?: Record<string, string>;
}

/** An imp that the partner may bid on, with the publisher's keys for it. */
export interface KeyedImp<Keys> {
  imp: Imp;
  keys: Keys;
}

/** The input of `buildRequests`. */
export interface AdapterRequest<Keys> {
  /** The auction's request, serialised once for all partners (`prepareRequest`). */
  request: PreparedRequest;
  imps: readonly KeyedImp<Keys>[];
  settings: PartnerSettings;
}

/** One outgoing call. If `gzip` is set, the sender compresses `body` and adds `Content-Encoding`. */
export interface PartnerHttpRequest {
  method: "POST" | "GET";
  url: string;
  headers: Record<string, string>;
  body: string;
  /** The body's length in UTF-8, if known without counting. */
  bodyBytes?: number | undefined;
  gzip: boolean;
  /** The imps this call asks for. */
  impIds: string[];
}

/** The response to one call. */
export interface PartnerHttpAnswer {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string | undefined>;
  /** The parsed JSON body; undefined if there was none. */
  body: unknown;
}

/** A well-formed bid, with its seat. */
export interface PartnerBid {
  bid: Bid;
  seat?: string;
  /** As marked by the partner; if absent, the imp decides. */
  mediaType?: MediaType;
}

/** A bid with fields that do not have the standard's types. */
export interface MalformedBid {
  bidId: string;
  impId: string;
  /** Such as `adomain[0]`. */
  path: string;
  message: string;
}

/** A well-formed response. Without bids it is a no-bid. */
export interface PartnerBids {
  ok: true;
  cur: string;
  bids: PartnerBid[];
  malformed: MalformedBid[];
  nbr?: number;
}

/**
 * All failures of a partner, named like the statuses of an auction's responses.
 * `request_failed`: the keys or settings are not enough for a request. `http_error`: a status other than 200 or 204.
 * `malformed_response`: not the standard's envelope, or the envelope of another auction.
 */
export const PARTNER_ERROR_CODES = ["request_failed", "http_error", "malformed_response"] as const;
export type PartnerErrorCode = (typeof PARTNER_ERROR_CODES)[number];

export interface PartnerError {
  ok: false;
  code: PartnerErrorCode;
  message: string;
}

/** The calls to make, or an error. An empty list means that this partner cannot bid on any of the imps. */
export type PartnerCalls = { ok: true; requests: PartnerHttpRequest[] } | PartnerError;

/** The code for a demand partner's protocol: two pure functions without I/O. */
export interface Adapter<Keys = Record<string, unknown>> {
  id: string;
  name: string;
  /** IAB Global Vendor List id. */
  gvlId?: number;
  mediaTypes: readonly MediaType[];
  keys: KeysSchema;
  /** Never throws. */
  buildRequests(ask: AdapterRequest<Keys>): PartnerCalls;
  /** Never throws, whatever the body is. `call` is the request that was answered. */
  readResponse(
    answer: PartnerHttpAnswer,
    call: PartnerHttpRequest,
    ask: AdapterRequest<Keys>,
  ): PartnerBids | PartnerError;
}
