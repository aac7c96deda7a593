import type { Bid, BidResponse } from "./bid-response.ts";
import {
  type Check,
  codes,
  count,
  extension,
  type Fault,
  identifier,
  integer,
  isObject,
  type JsonObject,
  listOf,
  matching,
  object,
  string,
  strings,
  text,
} from "./check.ts";
import { withoutNulls } from "./without-nulls.ts";

// The auction checks the price: a missing one has its own reason.
const bidShape = object(
  {
    id: identifier,
    impid: identifier,
    nurl: string,
    burl: string,
    lurl: string,
    adm: string,
    adid: string,
    adomain: strings,
    bundle: string,
    iurl: string,
    cid: string,
    crid: string,
    tactic: string,
    cattax: integer,
    cat: strings,
    attr: codes,
    apis: codes,
    api: integer,
    protocol: integer,
    qagmediarating: integer,
    language: string,
    langb: string,
    dealid: string,
    w: count,
    h: count,
    wratio: count,
    hratio: count,
    exp: integer,
    dur: integer,
    mtype: integer,
    slotinpod: integer,
    ext: extension,
  },
  { required: ["id", "impid"] },
);

const isAnything: Check = () => null;

const envelope = object(
  {
    id: text,
    seatbid: listOf(
      object({ bid: listOf(isAnything), seat: string, group: integer, ext: extension }, { required: ["bid"] }),
    ),
    bidid: string,
    cur: matching(/^[A-Za-z]{3}$/, "an ISO 4217 code such as USD"),
    customdata: string,
    nbr: integer,
    ext: extension,
  },
  { required: ["id"] },
);

// Far more than any real response has; each is checked, ranked and kept in the trace.
const MAX_BIDS = 500;

const GROUPED: Fault = { path: "group", message: "must not be 1 for several imps, which are sold one by one" };

/** A bid whose fields have the standard's types, and its seat. */
export interface SeatedBid {
  bid: Bid;
  seat?: string;
}

/** A malformed bid. `path` is like `adomain[0]`; ids are empty unless they are strings. */
export interface UnreadableBid {
  bidId: string;
  impId: string;
  path: string;
  message: string;
}

export type ResponseVerdict =
  | { ok: true; response: BidResponse; cur: string; bids: SeatedBid[]; malformed: UnreadableBid[] }
  | { ok: false; error: Fault };

/**
 * Checks the envelope of a partner's response (section 4.2.1) and separates well-formed from malformed bids.
 * The id must be the request's. Null in an optional field counts as absent; an empty object is a no-bid (section 7.1).
 * Bids that must win or lose as a group (section 4.2.2) are malformed here: imps are sold one by one. Never throws.
 */
export function validateBidResponse(value: unknown, requestId: string): ResponseVerdict {
  if (isObject(value) && isEmpty(value)) return validateBidResponse({ id: requestId }, requestId);
  const error = envelope(value);
  if (error !== null) return { ok: false, error };
  const response = value as BidResponse;
  if (response.id !== requestId) return { ok: false, error: { path: "id", message: "must be the request's id" } };
  const total = (response.seatbid ?? []).reduce((sum, { bid }) => sum + bid.length, 0);
  if (total > MAX_BIDS) return { ok: false, error: { path: "seatbid", message: `must have at most ${MAX_BIDS} bids` } };
  const bids: SeatedBid[] = [];
  const malformed: UnreadableBid[] = [];
  for (const { bid: seatBids, seat, group } of response.seatbid ?? []) {
    const isGroup = group === 1 && new Set(seatBids.map((item) => idOf(item, "impid"))).size > 1;
    for (const item of seatBids as unknown[]) {
      const fault = bidShape(item) ?? (isGroup ? GROUPED : null);
      if (fault === null) {
        const bid = withoutNulls(item as Bid);
        bids.push(typeof seat === "string" ? { bid, seat } : { bid });
      } else malformed.push({ bidId: idOf(item, "id"), impId: idOf(item, "impid"), ...fault });
    }
  }
  return { ok: true, response, cur: (response.cur ?? "USD").toUpperCase(), bids, malformed };
}

function idOf(item: unknown, name: "id" | "impid"): string {
  const id = isObject(item) ? item[name] : undefined;
  return typeof id === "string" ? id : "";
}

function isEmpty(value: JsonObject): boolean {
  for (const _ in value) return false;
  return true;
}
