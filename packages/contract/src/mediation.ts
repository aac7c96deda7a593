import { z } from "zod";
import { AppPartner, Floor } from "./app-settings.ts";
import { AppIdentity } from "./apps.ts";
import { FORMATS } from "./constants.ts";
import { defineCall } from "./define-call.ts";
import { ById, Day, Micros } from "./fields.ts";
import { StatsFilter, inOrder } from "./filters.ts";

/** What a partner should stay below. The auction waits 100 ms, its own work included. */
export const PARTNER_LIMITS = { p95Ms: 85, timeoutRate: 5 } as const;

/** The days of a partner's small revenue chart, the last of the range included. */
export const SPARK_DAYS = 14;

const Rate = z.number().nullable();

/** What one partner, or all together, did and earned. Rates are percentages; null where there is nothing to divide by. */
const Score = z.object({
  /** Requests sent. */
  asked: z.int(),
  /** Answers with a bid, and their share of the requests. */
  bids: z.int(),
  bid_rate: Rate,
  /** Requests whose answer began with the partner's ad, and their share of its bids. */
  wins: z.int(),
  win_rate: Rate,
  /** Requests not answered in time, and their share of those that were waited for; null for campaigns, which nobody waits for. */
  timeouts: z.int(),
  timeout_rate: Rate,
  /** Requests that failed in any other way. */
  errors: z.int(),
  /** The median of its highest bids, and the bids below and above which 1 in 20 is; within 2%. */
  low_bid: Micros.nullable(),
  median_bid: Micros.nullable(),
  high_bid: Micros.nullable(),
  /** The time of its answers in milliseconds, for half and for 95% of them, within 2%; without campaigns. */
  p50_ms: z.number().nullable(),
  p95_ms: z.number().nullable(),
  revenue: Micros,
  /** The revenue of the same number of days before, up to the same time if the range is not over. */
  last_revenue: Micros,
  /** Revenue by day, oldest first. */
  spark: z.array(Micros).length(SPARK_DAYS),
});

/** Since when a value is over its limit without a break. */
const Over = z.object({
  since: Day,
  /** The days looked at begin with it: it may have been over the limit before. */
  or_before: z.boolean(),
});

export const PartnerScore = AppPartner.extend({
  ...Score.shape,
  /** By `PARTNER_LIMITS`, of the last days; null if it is within the limit now. */
  slow: Over.nullable(),
  late: Over.nullable(),
});
export type PartnerScore = z.infer<typeof PartnerScore>;

export const AppMediation = z.object({
  app: AppIdentity,
  partners: z.array(PartnerScore),
  total: Score,
  /**
   * Requests sent on days without a record of what partners did, which no count includes, and the first day with a record. Null
   * without such requests.
   */
  unknown: z.object({ requests: z.int(), since: Day.nullable() }),
  /** The days of `spark`: the latest of the range, and those before it, that are over. */
  spark_days: z.array(Day).length(SPARK_DAYS),
  /** The moment at which `last_revenue` ends; null if the range is over. */
  compared_until: z.iso.datetime().nullable(),
});
export type AppMediation = z.infer<typeof AppMediation>;

export const appMediation = defineCall({
  method: "GET",
  path: "/apps/{id}/mediation.json",
  summary: "Get what each partner did and earned in an app's auctions",
  access: "settings.manage",
  params: ById,
  query: inOrder(StatsFilter.pick({ ds: true, de: true, format: true, country: true })),
  reply: AppMediation,
});

/** The prices in micro-dollars that separate the buckets of bids: 12 in each power of ten, from $0.01 to $1,000. */
export const BID_EDGES: readonly number[] = [
  1,
  ...Array.from({ length: 61 }, (_, step) => Math.round(10_000 * 10 ** (step / 12))),
];

/** Requests with their highest bid at or above `from` and below the next bucket's, and the impressions that were sold at such a price. */
const BidBucket = z.object({
  from: Micros,
  requests: z.int(),
  sold: z.int(),
  impressions: z.int(),
  revenue: Micros,
});
export type BidBucket = z.infer<typeof BidBucket>;

const FloorEffect = z.object({
  /** What the day would have had more, or less. */
  impressions: z.int(),
  revenue: Micros,
  /** How this is computed, in words. */
  basis: z.string(),
});
export type FloorEffect = z.infer<typeof FloorEffect>;

export const AppBids = z.object({
  /** The last day that is over. */
  day: Day,
  requests: z.int(),
  without_bid: z.int(),
  impressions: z.int(),
  revenue: Micros,
  buckets: z.array(BidBucket),
  /** The floors in force for these requests, lowest first; 0 where there is none. */
  floors: z.array(Micros),
  /** What the asked floor would have meant; null if no floor is asked. */
  effect: FloorEffect.nullable(),
});
export type AppBids = z.infer<typeof AppBids>;

export const appBids = defineCall({
  method: "GET",
  path: "/apps/{id}/bids.json",
  summary: "Get the highest bids on the requests that a floor decides, and the effect of another floor",
  access: "settings.manage",
  params: ById,
  /** Without a country or format, the floor of all that have none of their own. */
  query: z.strictObject({
    country: Floor.shape.country.unwrap().optional(),
    format: Floor.shape.format.unwrap().optional(),
    floor: z.coerce.number().pipe(Floor.shape.floor).optional(),
  }),
  reply: AppBids,
});

/** What automatic floors changed in the revenue of a request, against the requests that are held out of them. */
const FloorLift = z.object({
  /** In percent; null while nothing was earned to compare with. */
  lift: Rate,
  /** The 95% interval of the lift over these days; null for no bound. */
  low: Rate,
  high: Rate,
  /** Requests with an automatic floor, and those held out, of the last 28 days. */
  requests: z.int(),
  held: z.int(),
});
export type FloorLift = z.infer<typeof FloorLift>;

const FloorCell = FloorLift.extend({
  format: z.enum(FORMATS),
  country: z.string(),
  /** The publisher's floor, and the learned one, which is never lower. */
  own: Micros,
  floor: Micros,
  /**
   * `learning`: no gain is shown yet. `holds`: a gain is shown at 95% over these days. `fell_back`: it is not any more, or a loss is, so most
   * requests have the publisher's floor.
   */
  state: z.enum(["learning", "holds", "fell_back"]),
});
export type FloorCell = z.infer<typeof FloorCell>;

const AutomaticFloors = z.object({
  enabled: z.boolean(),
  /** When they were last learned; null while nothing is. */
  fitted_at: z.iso.datetime().nullable(),
  /** All cells together; null while nothing is learned. */
  total: FloorLift.nullable(),
  /** Those with the most requests first. */
  cells: z.array(FloorCell),
  /** How many other cells there are. */
  more: z.int(),
});
export type AutomaticFloors = z.infer<typeof AutomaticFloors>;

export const automaticFloors = defineCall({
  method: "GET",
  path: "/apps/{id}/automatic_floors.json",
  summary: "Get an app's automatic floors, and what they changed",
  access: "settings.manage",
  params: ById,
  reply: AutomaticFloors,
});

export const switchAutomaticFloors = defineCall({
  method: "PUT",
  path: "/apps/{id}/automatic_floors",
  summary: "Switch automatic floors on or off",
  access: "settings.manage",
  params: ById,
  body: z.strictObject({ enabled: z.boolean() }),
  reply: AutomaticFloors,
});
