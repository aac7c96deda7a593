import { z } from "zod";

/** What decides whether a campaign fits a recorded auction, as the exchange's rule has it. Times are UTC. */
export const FitParams = z.object({
  /** Formats of the exchange, and the media of which a place must take one. */
  formats: z.array(z.string()),
  media: z.array(z.string()),
  demo: z.int(),
  /** Epoch milliseconds. */
  startsAt: z.int(),
  /** The first millisecond after it; the end of time for no end. */
  endsAt: z.int(),
  /** ISO 8601: Monday is 1. */
  days: z.array(z.int()),
  fromMinute: z.int(),
  toMinute: z.int(),
  /** 1 if the countries are those wanted, 0 if those excluded. */
  isIn: z.int(),
  countries: z.array(z.string()),
  /** Of countries of which only some regions count, these, and the countries. */
  regions: z.array(z.string()),
  countriesInPart: z.array(z.string()),
  platforms: z.array(z.string()),
  /** 0 for every version, unknown ones included. */
  iosMin: z.int(),
  iosMax: z.int(),
  androidMin: z.int(),
  androidMax: z.int(),
  wifiOnly: z.int(),
  /** As `320x50`; none for images and videos, which fit every place. */
  sizes: z.array(z.string()),
});
export type FitParams = z.output<typeof FitParams>;

export const MOST_TIME = 253_402_300_799_000;

const MS = "toUnixTimestamp64Milli(at)";
const MINUTE = "toHour(at, 'UTC') * 60 + toMinute(at, 'UTC')";
const ON_HOURS = `(${MINUTE} BETWEEN {fromMinute:UInt16} AND {toMinute:UInt16} AND has({days:Array(UInt8)}, toDayOfWeek(at, 0, 'UTC')))`;
const IN_RANGE = (os: "ios" | "android") =>
  `({${os}Max:UInt16} = 0 OR (os_major > 0 AND os_major BETWEEN {${os}Min:UInt16} AND {${os}Max:UInt16}))`;

const IN_PART = "has({countriesInPart:Array(String)}, toString(country))";

/** The conditions that must hold, each with the reason if one does not, in the order of the exchange's rule. */
const SCHEDULE = [
  ["not_started", `${MS} >= {startsAt:Int64}`],
  ["over", `${MS} < {endsAt:Int64}`],
] as const;
const HOURS_AND_DEVICE = [
  ["off_hours", ON_HOURS],
  ["geography", `${IN_PART} OR has({countries:Array(String)}, toString(country)) = ({isIn:UInt8} = 1)`],
  // The region of a country is unknown in most requests.
  ["region_unknown", `NOT ${IN_PART} OR region != ''`],
  ["region", `NOT ${IN_PART} OR has({regions:Array(String)}, region) = ({isIn:UInt8} = 1)`],
  ["platform", "has({platforms:Array(String)}, campaign_platform)"],
  ["os_version", `if(campaign_platform = 'android', ${IN_RANGE("android")}, ${IN_RANGE("ios")})`],
  ["network", "({wifiOnly:UInt8} = 0 OR connection = 'wifi')"],
  // A place without sizes takes all.
  ["size", "(empty({sizes:Array(String)}) OR empty(sizes) OR hasAny(sizes, {sizes:Array(String)}))"],
] as const;

/** SQL of the first reason for which a campaign does not fit a row of `auctions`; empty if it fits. */
export const FIT_REASON = `multiIf(${[...SCHEDULE, ...HOURS_AND_DEVICE]
  .map(([reason, holds]) => `NOT (${holds}), '${reason}'`)
  .join(", ")}, '')`;

/** SQL of whether a campaign that has begun and is not over fits a row. */
export const FITS = HOURS_AND_DEVICE.map(([, holds]) => `(${holds})`).join(" AND ");

/** What a campaign had to outbid: the winner's price, or what a winner was ranked at that nobody pays for. */
export const WINNING_PRICE = "greatest(price_micros, expected_micros)";

/** Auctions and events of its format, in apps of its market. */
export const OF_ITS_FORMATS = "has({formats:Array(String)}, format) AND demo = {demo:UInt8}";
/** Auctions have media only where campaigns may bid. */
export const TAKES_MEDIA = "hasAny(media, {media:Array(String)})";
/** Auctions in which it could have taken part. */
export const OF_MARKET = `${OF_ITS_FORMATS} AND ${TAKES_MEDIA}`;
