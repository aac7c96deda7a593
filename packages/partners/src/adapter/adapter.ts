import type { Platform } from "@millrace/contract";
import type { Bid, Imp, MediaType, SupplyChainNode } from "@millrace/openrtb";
import type { OpenrtbVersion, PreparedRequest } from "./prepared-request.ts";

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

/** Reads a key that requests may bring in another form than the property's; undefined counts as no key. */
export type KeyForm = (value: unknown) => unknown;

/** The keys of a partner as a JSON Schema object, from which the dashboard builds its form. */
export interface KeysSchema {
  type: "object";
  title: string;
  properties: Record<string, KeyProperty>;
  required: string[];
  /** Other names under which requests may bring a key. */
  aliases?: Readonly<Record<string, string>>;
  /** For the keys that requests may bring in other forms. What travels in `imp.ext.bidder` stays as it came. */
  forms?: Readonly<Record<string, KeyForm>>;
  /** One of these groups of keys is enough. */
  anyOf?: { required: string[] }[];
  additionalProperties?: boolean;
}

/** The operator's settings for a partner. What is not set is as the adapter has it. */
export interface PartnerSettings {
  /** Its name in requests, by which they bring its own id of the user; the adapter's id unless given. */
  partnerId?: string;
  /** Replaces the partner's address. The adapter fills in its `{{Name}}` parts. */
  endpoint?: string;
  openrtbVersion?: OpenrtbVersion;
  /** For an adapter without a fixed vendor id. */
  gvlId?: number;
  /** Compress requests, and accept compressed responses; otherwise neither side compresses. */
  gzip?: boolean;
  /** Limits requests to these of the partner's media types. */
  mediaTypes?: readonly MediaType[];
  /** Headers of every request. Names in lower case. */
  headers?: Readonly<Record<string, string>>;
  /** The platform's own ids at the partner (supply id, seller name), by the adapter's names for them. */
  platformIds?: Readonly<Record<string, string>>;
  /** The currency that the partner is asked to bid in, in which it gets the floors: an ISO 4217 code. */
  currency?: string;
  /** The currency of responses that name none, if not `currency`. */
  bidCurrency?: string;
  /** The platform's node in the supply chain, added to the request's chain. */
  schainNode?: SupplyChainNode;
  /** The chain of requests ends with a node of the platform already, which `schainNode` replaces. */
  replacesLastNode?: boolean;
}

/** An imp that the partner may bid on, with the publisher's keys for it. */
export interface KeyedImp {
  imp: Imp;
  /** Plans are cached by this object, so it may not change. */
  keys: object;
}

/** The input of `buildRequests`. */
export interface AdapterRequest {
  /** The auction's request, serialised once for all partners (`prepareRequest`). */
  request: PreparedRequest;
  /** The name under which the request asks the partner, if not its own (`ext.prebid.aliases`): ids for it are in that name. */
  askedAs?: string | undefined;
  imps: readonly KeyedImp[];
  settings: PartnerSettings;
  /** The `tmax` of the calls in milliseconds, if not the request's. */
  tmaxMs?: number | undefined;
  /** US dollars per unit of a currency, as of today. A currency that is missing has no rate: imps that need it are refused. */
  ratesToUsd?: Readonly<Record<string, number>>;
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
  /** The response's own id (`bidid`). */
  responseId?: string;
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
 * `request_failed`: the keys, the settings or the imps give no valid request. `http_error`: a status other than 200 or 204.
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

/**
 * The code for a demand partner's protocol: facts, and pure functions without I/O. Made by `defineAdapter`, so that no
 * function throws, whatever it gets.
 */
export interface Adapter {
  id: string;
  name: string;
  /** IAB Global Vendor List id; undefined if the partner is not on the list. */
  gvlId: number | undefined;
  mediaTypes: readonly MediaType[];
  platforms: readonly Platform[];
  keysSchema: KeysSchema;
  /** The names of the platform's own ids that it uses. The generic adapter also fills them into the address. */
  platformIds: readonly string[];
  /** Its address, with `{{Name}}` where keys or platform ids go; empty if the operator has to set it. */
  endpoint: string;
  /** Undefined if the operator decides. */
  openrtbVersion: OpenrtbVersion | undefined;
  /** Undefined if the operator decides. */
  gzip: boolean | undefined;
  /** Compiles the plan of these keys ahead of auctions. The error says which key is at fault. */
  prepareKeys(keys: object, settings: PartnerSettings): { ok: true } | PartnerError;
  buildRequests(ask: AdapterRequest): PartnerCalls;
  /** `call` is the request that was answered. */
  readResponse(answer: PartnerHttpAnswer, call: PartnerHttpRequest, ask: AdapterRequest): PartnerBids | PartnerError;
}
