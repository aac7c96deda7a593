import {
  recordMalformedBid,
  type ResponseStatus,
  unrecorded,
  type UnrecordedBid,
  unrecordedBid,
  type UnrecordedResponse,
} from "@millrace/auction";
import type { Adapter, AdapterRequest, PartnerBid, PartnerHttpAnswer, PartnerHttpRequest } from "@millrace/partners";
import { type CallAnswer, type CallFailure, type CallOutcome, headersOf } from "../../../platform/bid-client/index.ts";
import { parseJsonText } from "../http/json.ts";
import type { CallTerms } from "./judge-partners.ts";

const STATUS_OF_FAILURE = {
  not_sendable: "request_failed",
  timeout: "timeout",
  connection_failed: "connection_failed",
  closed_early: "connection_failed",
  not_http: "malformed_response",
  bad_encoding: "malformed_response",
  too_large: "response_too_large",
} as const satisfies Record<CallFailure, ResponseStatus>;

/** A call to a partner and its request. */
export interface PartnerCall {
  participantId: string;
  /** The index of the call among the participant's calls. */
  call: number;
  adapter: Adapter;
  ask: AdapterRequest;
  /** The imps that the participant is asked for, by this call or another. */
  askedImpIds: readonly string[];
  request: PartnerHttpRequest;
  terms: CallTerms;
}

/** The result of a call, and its bids by their index in the response. */
export interface ReadCall {
  response: UnrecordedResponse;
  bids: readonly PartnerBid[];
  /** The alias under which the partner was asked; absent if by its own name. */
  askedAs?: string | undefined;
}

/** Reads a call's outcome. Never throws: whatever a partner sends becomes a status or an error of a bid. */
export function readOutcome(partnerCall: PartnerCall, outcome: CallOutcome, hashMarkup: boolean): ReadCall {
  return placed(readAnswer(partnerCall, outcome, hashMarkup), partnerCall, partnerCall.request.impIds);
}

/** A call that could not be built. */
export const unbuilt = (
  partnerCall: Pick<PartnerCall, "participantId" | "call" | "ask" | "askedImpIds">,
  status: ResponseStatus,
): ReadCall =>
  placed(
    empty(partnerCall, status, 0),
    partnerCall,
    partnerCall.ask.imps.map(({ imp }) => imp.id),
  );

function placed(
  read: ReadCall,
  { ask, askedImpIds }: Pick<PartnerCall, "ask" | "askedImpIds">,
  impIds: string[],
): ReadCall {
  // Almost always all of them, which needs no room in the trace.
  if (!askedImpIds.every((id) => impIds.includes(id))) read.response.impIds = impIds;
  if (ask.askedAs !== undefined) read.askedAs = ask.askedAs;
  return read;
}

function readAnswer(partnerCall: PartnerCall, outcome: CallOutcome, hashMarkup: boolean): ReadCall {
  if (!outcome.ok) return empty(partnerCall, STATUS_OF_FAILURE[outcome.failure], outcome.latencyMs);
  const body = parsed(outcome.body);
  const { status: httpStatus } = outcome;
  if (body === BROKEN && httpStatus === 200)
    return empty(partnerCall, "malformed_response", outcome.latencyMs, httpStatus);
  const read = partnerCall.adapter.readResponse(
    new Answer(outcome, body === BROKEN ? undefined : body),
    partnerCall.request,
    partnerCall.ask,
  );
  if (!read.ok) return empty(partnerCall, read.code, outcome.latencyMs, httpStatus);
  const bids: UnrecordedBid[] = [];
  const options = { hashMarkup, requestId: partnerCall.ask.request.request.id };
  for (const bid of read.bids) bids.push(unrecordedBid(bid, read.cur, options));
  for (const bid of read.malformed) bids.push(unrecorded(recordMalformedBid(bid, read.cur)));
  const response: UnrecordedResponse = {
    participantId: partnerCall.participantId,
    call: partnerCall.call,
    status: bids.length > 0 ? "bid" : "no_bid",
    latencyMs: hundredths(outcome.latencyMs),
    httpStatus,
    bids,
  };
  if (read.nbr !== undefined) response.nbr = read.nbr;
  return { response, bids: read.bids };
}

/** A call without bids. */
function empty(
  { participantId, call }: Pick<PartnerCall, "participantId" | "call">,
  status: ResponseStatus,
  latencyMs: number,
  httpStatus?: number,
): ReadCall {
  const response: UnrecordedResponse = { participantId, call, status, latencyMs: hundredths(latencyMs), bids: [] };
  if (httpStatus !== undefined) response.httpStatus = httpStatus;
  return { response, bids: [] };
}

const hundredths = (ms: number) => Math.round(ms * 100) / 100;

/** Splits headers on demand, because few adapters read them. */
class Answer implements PartnerHttpAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly #head: string;

  constructor({ status, head }: CallAnswer, body: unknown) {
    this.status = status;
    this.body = body;
    this.#head = head;
  }

  get headers(): Record<string, string | undefined> {
    return headersOf(this.#head);
  }
}

const BROKEN = Symbol("no JSON");

function parsed(body: string): unknown {
  if (body === "") return undefined;
  try {
    return parseJsonText(body);
  } catch {
    return BROKEN;
  }
}
