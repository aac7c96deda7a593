import { z } from "zod";
import { PLAYER_EVENTS, STEP_OUTCOMES } from "./beacons.ts";
import { FORMATS, REQUEST_OUTCOMES } from "./constants.ts";
import { defineCall } from "./define-call.ts";
import { ById, Micros, Uuid, repeated } from "./fields.ts";
import { StatsFilter, inOrder } from "./filters.ts";

/** A reason's code, and the same as a sentence. */
const Reason = z.object({ code: z.string(), text: z.string() });

/** One recorded ad request: an imp of an auction. */
export const RecordedRequest = z.object({
  auction: Uuid,
  imp: z.string(),
  at: z.iso.datetime(),
  zone: z.string(),
  zone_name: z.string(),
  format: z.enum(FORMATS),
  /** ISO 3166-1 alpha-2, or `XX`. */
  country: z.string(),
  /** Why there was no ad; null if the request was sold. */
  no_ad: Reason.nullable(),
  /** The provider of the first ad of the answer; null without one. */
  winner: z.object({ provider: z.string(), name: z.string() }).nullable(),
  price: Micros.nullable().describe("the winner's price of 1,000 impressions; null without a winner"),
  /** How many partners were asked. */
  asked: z.int(),
  /** From the request's arrival to its answer. */
  duration_ms: z.number(),
  /** Whether the auction's whole trace is kept. */
  traced: z.boolean(),
});
export type RecordedRequest = z.infer<typeof RecordedRequest>;

/** A place in the list of requests: milliseconds, auction and imp. */
const RequestCursor = z.string().regex(/^\d{1,15}~[\da-f-]{36}~.{0,64}$/su, "Use a cursor from an earlier reply");
const Code = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,63}$/);
const Zone = z.string().regex(/^[A-Za-z0-9_.:-]{1,64}$/);
export const REQUESTS_PER_PAGE = 50;

export const RequestsQuery = inOrder(
  StatsFilter.omit({ app_id: true, provider: true }).extend({
    zone: repeated(Zone),
    outcome: z.enum(REQUEST_OUTCOMES).optional(),
    /** Why there was no ad, as in the statistics' `why_no_ad`. */
    reason: repeated(Code),
    /** Partners of which at least one was asked. */
    partner: repeated(Code),
    winner: repeated(Code),
    before: RequestCursor.optional().describe("the older of the page before"),
    /** Requests of the place's last seconds are repeated, because concurrent auctions are stored out of order. */
    after: RequestCursor.optional().describe("only what is newer than the newest of an earlier reply"),
    rows: z.coerce.number().int().min(1).max(200).default(REQUESTS_PER_PAGE),
  }),
);
export type RequestsQuery = z.output<typeof RequestsQuery>;

export const listRequests = defineCall({
  method: "GET",
  path: "/apps/{id}/requests.json",
  summary: "List an app's recorded ad requests, newest first; with after, only those that have arrived since",
  access: "apps.read",
  params: ById,
  query: RequestsQuery,
  reply: z.object({
    requests: z.array(RecordedRequest),
    newest: z.string().nullable().describe("for after; null without requests"),
    older: z.string().nullable().describe("for before; null if nothing older can match"),
    /** It is later than the range's start if the search was cut off to answer in time; `older` continues it. */
    searched_from: z.iso.datetime().describe("everything from this moment on has been searched"),
    kept_days: z.int().nullable().describe("how long single requests are kept; null if for ever"),
  }),
});

/**
 * A partner's result for one imp. Without a trace, `bid` means that it bid and did not win, and `asked` that its answer is not
 * kept.
 */
export const PARTNER_RESULTS = [
  "won",
  "outbid",
  "bid",
  "under_floor",
  "refused",
  "no_bid",
  "failed",
  "timeout",
  "not_asked",
  "asked",
] as const;
export type PartnerResult = (typeof PARTNER_RESULTS)[number];

/** A price, the platform's fee and the publisher's part of it, which add up. */
const Split = z.object({ cleared: Micros, fee: Micros, earned: Micros });

const Imp = z.object({
  imp: z.string(),
  format: z.enum(FORMATS),
  zone: z.string(),
  zone_name: z.string(),
  /** What happened, as a sentence, and what else there is to say. */
  sentence: z.string(),
  detail: z.string(),
  /** CPM; null if it is not kept. */
  floor: Micros.nullable(),
  /** Who set the floor: the publisher's rule for this country and format (null for all), what is learned above it, the request, or nobody. */
  floor_by: z
    .object({
      source: z.enum(["publisher", "automatic", "request", "nobody"]),
      country: z.string().nullable(),
      format: z.enum(FORMATS).nullable(),
      text: z.string(),
    })
    .nullable(),
  no_ad: Reason.nullable(),
  /** Best first, in the order of the reply. */
  order: z.array(
    z.object({
      position: z.int(),
      provider: z.string(),
      name: z.string(),
      price: Micros,
      media_type: z.string(),
    }),
  ),
  /** The price of the ad that was shown, or else of the first one; null without an ad. */
  price: z
    .object({
      provider: z.string(),
      name: z.string(),
      /** Parts per million of the price; null if it is not recorded. */
      fee_ppm: z.int().nullable(),
      /** Where the fee comes from, as a sentence. */
      fee_by: z.string(),
      impression: Split,
      thousand: Split,
      /** Whether an impression of it was counted, so that it was earned. */
      is_earned: z.boolean(),
    })
    .nullable(),
  /** From the request's arrival to its answer; null if it was not recorded, as for tests. */
  answered_ms: z.number().nullable(),
});

const Participant = z.object({
  provider: z.string(),
  name: z.string(),
  outcome: Reason,
  /** The slowest of its calls. */
  latency_ms: z.number().nullable(),
  /** Its result for each imp: a word, the reason, and its best bid's CPM as far as known. */
  results: z.array(
    z.object({
      imp: z.string(),
      result: z.enum(PARTNER_RESULTS),
      label: z.string(),
      text: z.string(),
      price: Micros.nullable(),
    }),
  ),
  /**
   * The calls to it, with the request as its adapter made it, without what identifies a person; null if it cannot be made
   * again, and for readers who may not see the app's keys, which it contains. The response is as recorded: without markup
   * and notice addresses; null if it had no body that could be read.
   */
  calls: z.array(
    z.object({
      status: Reason,
      http_status: z.int().nullable(),
      latency_ms: z.number(),
      sent: z.object({ version: z.enum(["2.5", "2.6"]), body: z.unknown() }).nullable(),
      answer: z.unknown(),
    }),
  ),
  /** Redactions: each privacy rule as a sentence, and the fields it removed. */
  privacy: z.array(z.object({ rule: z.string(), text: z.string(), fields: z.array(z.string()) })),
  /** Why the partner was not asked, for the whole auction (`imp` is null) or for one imp. */
  refusals: z.array(z.object({ imp: z.string().nullable(), reason: Reason })),
  bids: z.array(
    z.object({
      imp: z.string(),
      bid: z.string(),
      status: z.enum(["won", "lost", "invalid"]),
      reason: Reason.nullable(),
      field: z.string().nullable(),
      /** CPM; null if the bid had no readable price. */
      price: Micros.nullable(),
      /** The CPM that would have won; not the floor. */
      min_to_win: Micros.nullable(),
    }),
  ),
});

/** An impression, a click, a player event or an adapter's step after the auction. */
const Followed = z.object({
  at: z.iso.datetime(),
  after_ms: z.int(),
  kind: z.enum(["impression", "click", ...PLAYER_EVENTS, ...STEP_OUTCOMES, "error"]),
  /** `Impression`, `First quartile`, `Error 303`. */
  label: z.string(),
  provider: z.string(),
  name: z.string(),
  zone: z.string(),
  format: z.string(),
  /** Whether it counts in statistics; null for player events, which are never counted. */
  counted: z.boolean().nullable(),
  why_not: Reason.nullable(),
  /** What the publisher earned by it; null if nothing. */
  revenue: Micros.nullable(),
});

export const explainAuction = defineCall({
  method: "GET",
  path: "/auctions/{id}.json",
  summary: "Explain an auction: the winner and its price, or the reason of no ad, with all partners and their bids",
  access: "apps.read",
  params: ById,
  reply: z.object({
    auction: Uuid,
    app: z.object({ uuid: Uuid, name: z.string() }),
    at: z.iso.datetime(),
    /** Whether the auction's trace is kept. Without it, only what its requests recorded is known. */
    traced: z.boolean(),
    seed: z.string().nullable(),
    config_version: z.string().nullable(),
    deadline_ms: z.number().nullable(),
    country: z.string(),
    device: z.object({
      os: z.string().nullable(),
      os_version: z.string().nullable(),
      sdk_version: z.string().nullable(),
      /** Wi-Fi, Cellular or Ethernet. */
      connection: z.string().nullable(),
    }),
    /** What privacy signals allowed: a word, and a sentence; null without a trace. */
    consent: z.object({ label: z.string(), text: z.string() }).nullable(),
    test: z.boolean(),
    no_ad: Reason.nullable(),
    imps: z.array(Imp),
    participants: z.array(Participant),
    /** The request as recorded, without what identifies a person; null without a trace. */
    request: z.unknown(),
    /** Impressions, clicks and player events, in order. */
    followed: z.array(Followed),
    /** The player events of a video or audio ad, each once. */
    player_events: z.array(
      z.object({
        provider: z.string(),
        event: z.enum([...PLAYER_EVENTS, ...STEP_OUTCOMES, "error"]),
        /** The VAST error code of an `error`. */
        error_code: z.int().nullable(),
        at: z.iso.datetime(),
      }),
    ),
    /** Whether a replay from the stored inputs gives the same bytes; null without a trace. */
    replays: z.boolean().nullable(),
  }),
});
