import { type Imp, isObject, MEDIA_TYPES, type MediaType, validateBidResponse } from "@millrace/openrtb";
import type { AdapterRequest, PartnerBid, PartnerBids, PartnerError, PartnerHttpAnswer } from "./adapter.ts";
import type { BidStep } from "./bid-steps.ts";
import { type BidContext, type MediaTypeRule, standardType } from "./media-type-of-bid.ts";
import { limitMediaTypes } from "./prepared-request.ts";

/** How to read a partner's responses, where they are not by the standard. */
export interface ResponseRules {
  /** The rules that find a bid's media type, of which the first hit counts; `mtype` unless given. */
  mediaType?: readonly MediaTypeRule[];
  /** A bid whose type no rule knows is dropped as malformed, makes the whole response malformed, or is left to the auction. */
  unknownType?: "drop" | "fail" | "pass";
  /**
   * What a response without a currency means: the one that the partner was asked for, or dollars, because the partner knows
   * no other. A currency that it names counts in any case; the auction refuses one that has no rate.
   */
  currency?: "asked" | "USD";
  /** Only the first `seatbid` has bids. */
  firstSeatOnly?: boolean;
  /** The partner does not repeat the request's id in the response, as it should. */
  ownId?: boolean;
  /** Changes of each bid, in this order. */
  steps?: readonly BidStep[];
}

const malformed = (message: string): PartnerError => ({ ok: false, code: "malformed_response", message });

/**
 * Reads a response by a partner's rules. `mediaTypes` are those that the partner is asked for: no others of an imp count. An error has
 * no bids; a bid with a fault costs only itself.
 */
export function readBids(
  answer: PartnerHttpAnswer,
  ask: AdapterRequest,
  rules: ResponseRules,
  mediaTypes: readonly MediaType[],
): PartnerBids | PartnerError {
  const { status, body } = answer;
  const asked = rules.currency === "USD" ? undefined : ask.settings.currency;
  const currency = ask.settings.bidCurrency ?? asked ?? "USD";
  if (status === 204 || (status === 200 && body === undefined))
    return { ok: true, cur: currency, bids: [], malformed: [] };
  if (status !== 200) return { ok: false, code: "http_error", message: `answered with status ${status}` };
  const { request } = ask.request;
  const verdict = validateBidResponse(envelopeOf(body, request.id, rules), request.id);
  if (!verdict.ok) {
    const { path, message } = verdict.error;
    return malformed(`${path === "" ? "the answer" : path} ${message}`);
  }
  const { response } = verdict;
  const cur = response.cur ? verdict.cur : currency;
  const read: PartnerBids = { ok: true, cur, bids: [], malformed: [...verdict.malformed] };
  if (typeof response.nbr === "number") read.nbr = response.nbr;
  for (const seated of verdict.bids) {
    const whole = request.imp.find(({ id }) => id === seated.bid.impid);
    const imp = whole && limitMediaTypes(whole, mediaTypes);
    const context = { imp, answer };
    const mediaType =
      mediaTypeOf(seated, context, rules.mediaType ?? BY_STANDARD) ?? soleRequestedType(seated, whole, imp, rules);
    const message = typeFault(mediaType ?? standardType(seated.bid, context), mediaType, { whole, imp, rules });
    if (message !== undefined) {
      if (message === UNKNOWN_TYPE && rules.unknownType === "fail")
        return malformed(`the bid ${seated.bid.id} ${message}`);
      read.malformed.push({ bidId: seated.bid.id, impId: seated.bid.impid, path: "mtype", message });
      continue;
    }
    const bid = stepped(mediaType === undefined ? seated : { ...seated, mediaType }, context, rules.steps);
    if (bid !== null) read.bids.push(response.bidid ? { ...bid, responseId: response.bidid } : bid);
  }
  return read;
}

const BY_STANDARD = [standardType];

const UNKNOWN_TYPE = "does not say of which media type it is";
const UNASKED_TYPE = "is of a media type that was not asked for";

/**
 * A fault in a bid's media type that the auction cannot find, because it does not know which media types of an imp a partner was
 * asked for.
 */
function typeFault(
  declared: MediaType | undefined,
  read: MediaType | undefined,
  { whole, imp, rules: { unknownType } }: { whole: Imp | undefined; imp: Imp | undefined; rules: ResponseRules },
): string | undefined {
  if (read === undefined && imp !== undefined && unknownType !== "pass") return UNKNOWN_TYPE;
  return declared !== undefined && imp?.[declared] === undefined && whole?.[declared] !== undefined
    ? UNASKED_TYPE
    : undefined;
}

/** The response as the standard has it. */
function envelopeOf(body: unknown, requestId: string, { firstSeatOnly, ownId }: ResponseRules): unknown {
  if (!isObject(body) || !(firstSeatOnly || ownId)) return body;
  const { seatbid } = body;
  return {
    ...body,
    ...(ownId && { id: requestId }),
    ...(firstSeatOnly && Array.isArray(seatbid) && { seatbid: seatbid.slice(0, 1) }),
  };
}

function mediaTypeOf({ bid }: PartnerBid, context: BidContext, rules: readonly MediaTypeRule[]): MediaType | undefined {
  for (const rule of rules) {
    const type = rule(bid, context);
    if (type !== undefined) return type;
  }
  return undefined;
}

/** The only type that the partner was asked for, which the auction cannot tell from an imp that sells others too. */
function soleRequestedType(
  { bid }: PartnerBid,
  whole: Imp | undefined,
  requestedImp: Imp | undefined,
  { unknownType }: ResponseRules,
): MediaType | undefined {
  if (unknownType !== "pass" || bid.mtype !== undefined || requestedImp === whole) return undefined;
  const types = MEDIA_TYPES.filter((type) => requestedImp?.[type] !== undefined);
  return types.length === 1 ? types[0] : undefined;
}

function stepped(read: PartnerBid, context: BidContext, steps: readonly BidStep[] = []): PartnerBid | null {
  let bid: PartnerBid | null = read;
  for (const step of steps) {
    bid = step(bid, context);
    if (bid === null) return null;
  }
  return bid;
}
