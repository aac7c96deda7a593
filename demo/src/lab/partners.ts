import type { Format } from "@millrace/contract";
import type { MediaType } from "@millrace/openrtb";
import { worldRegionOf } from "../../../server/src/areas/exchange/index.ts";
import { PERSONALITIES } from "./personalities.data.ts";
import type { Fault, Personality } from "./personality.ts";

/** The media type in which each format is sold. */
const SOLD_AS = {
  banner: "banner",
  interstitial: "banner",
  video: "video",
  rewarded: "video",
  native: "native",
  audio: "audio",
} as const satisfies Record<Format, MediaType>;

/** The media types of the formats that a bidder buys. */
export const mediaTypesOf = ({ buys }: Personality): MediaType[] => [...new Set(buys.map((format) => SOLD_AS[format]))];

/** The bidders that the demo's apps sell to. */
export const DEMO_BIDDERS: readonly Personality[] = PERSONALITIES.filter(({ activeInDemo }) => activeInDemo);

/** Whether the exchange sends a bidder requests for a format from a country. The bidder may still decline. */
export const isAskedFor = (personality: Personality, format: Format, country: string): boolean =>
  mediaTypesOf(personality).includes(SOLD_AS[format]) &&
  (personality.regions?.some((region) => region === worldRegionOf(country)) ?? true);

/** Whether a bidder that is asked buys a format in this country and on this platform. */
export const wants = (
  { buys, countries, platforms }: Personality,
  format: Format,
  country: string | undefined,
  platform: Personality["platforms"] extends readonly (infer P)[] | undefined ? P : never,
): boolean =>
  buys.includes(format) &&
  (countries === undefined || countries.includes(country ?? "")) &&
  (platforms === undefined || platforms.includes(platform));

/** The part of an auction's deadline that is left for bidders after transfer and our own processing. */
export const ANSWER_WITHIN_MS = 85;

/** The long-term shares of requests to which a bidder answers in time with a valid bid, too late, or with an error. */
export function answerShares({ noBidShare, faults = [], latency, outage }: Personality): {
  bid: number;
  timeout: number;
  error: number;
} {
  const shareOf = (isOne: (fault: Fault) => boolean) =>
    faults.reduce((sum, { fault, share }) => sum + (isOne(fault) ? share : 0), 0);
  const late = 1 - normalBelow(Math.log(ANSWER_WITHIN_MS / latency.medianMs) / latency.sigma);
  const up = 1 - (outage === undefined ? 0 : outage.forMs / outage.everyMs);
  const timely = up * (1 - late);
  return {
    bid: (1 - noBidShare) * (1 - shareOf(() => true)) * timely,
    timeout: up * late + timely * shareOf((fault) => fault === "slow" || fault === "silent"),
    error: 1 - up + timely * shareOf((fault) => NOT_READABLE.has(fault)),
  };
}

/** Faults that leave no answer with bids in it. */
const NOT_READABLE: ReadonlySet<Fault> = new Set(["huge", "gzip-bomb", "broken-json", "reset", "unavailable"]);

/** The standard normal distribution function (Abramowitz and Stegun 26.2.17, accurate to 7 digits). */
function normalBelow(z: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(z));
  const tail =
    (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) *
    t *
    (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return z >= 0 ? 1 - tail : tail;
}
