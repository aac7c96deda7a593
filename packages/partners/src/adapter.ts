import type { Bid, Imp, MediaType } from "@millrace/openrtb";
import type { PreparedRequest } from "./prepared-request.ts";

/** One key that a publisher enters: a JSON Schema property. */
export interface KeyProperty {
  type: "string" | "integer" | "number" | "boolean" | "array";
  /** Of a list: what it holds. */
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

/** The keys of a partner: a JSON Schema object; the dashboard draws its form from it. */
export interface KeysSchema {
  type: "object";
  title: string;
  properties: Record<string, KeyProperty>;
  required: string[];
  /** Where one of several groups of keys is enough. */
  anyOf?: { required: string[] }[];
  additionalProperties?: boolean;
}

/** What the operator of the platform sets for a partner. */
export interface PartnerSettings {
  /** Address the requests go to; `{{Macro}}` parts are filled by the partner's own file. */
  endpoint: string;
  openrtbVersion?: "2.5" | "2.6";
  /** For a kind whose own id is not known beforehand. */
  gvlId?: number;
  /** Send request bodies gzipped. */
  gzip?: boolean;
  /** Ask only for these of the partner's media types. */
  mediaTypes?: MediaType[];
  headers?: Record<string, string>;
  /** The platform's own ids at the partner (supply id, seller name). */
  platformIds?: Record<string, string>;
}

/** An imp the partner may bid on, with the publisher's keys for it. */
export interface KeyedImp<Keys> {
  imp: Imp;
  keys: Keys;
}

/** What a partner builds its calls from. */
export interface AdapterRequest<Keys> {
  /** The auction's request, serialised once for all partners (`prepareRequest`). */
  request: PreparedRequest;
  imps: readonly KeyedImp<Keys>[];
  settings: PartnerSettings;
}

/** One outgoing call. The sender compresses `body` when `gzip` says so and then adds `Content-Encoding`. */
export interface PartnerHttpRequest {
  method: "POST" | "GET";
  url: string;
  headers: Record<string, string>;
  body: string;
  /** The body's length in UTF-8 if it is known without counting. */
  bodyBytes?: number | undefined;
  gzip: boolean;
  /** The imps this call asks for. */
  impIds: string[];
}

/** What came back for one call. */
export interface PartnerHttpAnswer {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string | undefined>;
  /** The parsed JSON body; undefined where there was none. */
  body: unknown;
}

/** A well-formed bid and what the partner said around it. */
export interface PartnerBid {
  bid: Bid;
  seat?: string;
  /** How this partner marks it; absent where the imp has to tell. */
  mediaType?: MediaType;
}

/** A bid whose own fields are not of the standard's types. */
export interface MalformedBid {
  bidId: string;
  impId: string;
  /** As `adomain[0]`. */
  path: string;
  message: string;
}

/** An answer that could be read. No bids is a no-bid. */
export interface PartnerBids {
  ok: true;
  cur: string;
  bids: PartnerBid[];
  malformed: MalformedBid[];
  nbr?: number;
}

/**
 * The closed set of a partner's failures. The names are those of an auction response's status.
 * `request_failed`: the keys or the settings do not give a request. `http_error`: a status other than 200 or 204.
 * `malformed_response`: not the standard's envelope, or another auction's.
 */
export const PARTNER_ERROR_CODES = ["request_failed", "http_error", "malformed_response"] as const;
export type PartnerErrorCode = (typeof PARTNER_ERROR_CODES)[number];

export interface PartnerError {
  ok: false;
  code: PartnerErrorCode;
  message: string;
}

/** The calls to make, or why there are none. No calls without an error: nothing this partner can be asked for. */
export type PartnerCalls = { ok: true; requests: PartnerHttpRequest[] } | PartnerError;

/** A demand partner: two pure functions without I/O. */
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
