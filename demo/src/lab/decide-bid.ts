import { findCountry } from "../countries.ts";
import { medianCpm, UNTRACKED } from "../market.ts";
import type { Random } from "../random.ts";
import { seededRandom } from "../random.ts";
import { blockedSubject, SUBJECTS } from "../creatives/subjects.data.ts";
import type { Subject } from "../creatives/subjects.data.ts";
import type { Fault, Personality } from "./personality.ts";
import { offersOf, platformOf } from "./read-request.ts";
import type { Offer } from "./read-request.ts";
import type { BidRequest, Imp } from "@millrace/openrtb";

/** The bid of a bidder for one imp. */
export interface Intent {
  imp: Imp;
  offer: Offer;
  /** Dollars CPM. */
  price: number;
  subject: Subject;
}

/** How a bidder responds: after `delayMs`, with `fault` if there is one, bidding `intents`. */
export interface Decision {
  delayMs: number;
  fault: Fault | undefined;
  intents: Intent[];
}

/** Long after any auction's deadline. */
const SLOW_MS = 400;

/** Decides the bidder's response. A pure function of seed, bidder, request and time (for outages only). */
export function decideBid(personality: Personality, request: BidRequest, seed: string, nowMs: number): Decision {
  const random = seededRandom(seed, personality.id, request.id);
  const fault = isOut(personality, nowMs) ? "unavailable" : faultOf(personality, random);
  const latencyMs = random.logNormal(personality.latency.medianMs, personality.latency.sigma);
  const untracked = request.device?.lmt === 1 || request.device?.ifa === undefined;
  const appetite = (1 - personality.noBidShare) * (untracked ? UNTRACKED.appetite : 1);
  const abstains = !random.chance(appetite);
  const factor = personality.priceFactor * (untracked ? UNTRACKED.priceFactor : 1);
  const intents = request.imp.flatMap((imp) => intentFor(personality, request, imp, factor, random) ?? []);
  return {
    delayMs: fault === "slow" ? SLOW_MS : latencyMs,
    fault,
    intents: abstains && fault === undefined ? [] : intents,
  };
}

function isOut({ outage }: Personality, nowMs: number): boolean {
  return outage !== undefined && nowMs % outage.everyMs >= outage.everyMs - outage.forMs;
}

function faultOf({ faults = [] }: Personality, random: Random): Fault | undefined {
  let roll = random.next();
  for (const { fault, share } of faults) {
    roll -= share;
    if (roll < 0) return fault;
  }
  return undefined;
}

function intentFor(
  personality: Personality,
  request: BidRequest,
  imp: Imp,
  priceFactor: number,
  random: Random,
): Intent | undefined {
  const country = findCountry(request.device?.geo?.country)?.code;
  const platform = platformOf(request.device);
  if (personality.countries !== undefined && !personality.countries.includes(country ?? "")) return undefined;
  if (personality.platforms !== undefined && !personality.platforms.includes(platform)) return undefined;
  const offer = offersOf(imp).find(({ format }) => personality.buys.includes(format));
  if (offer === undefined || !playable(imp, offer)) return undefined;

  const price = random.logNormal(medianCpm(offer.format, country, platform) * priceFactor, personality.sigma);
  // Four decimals of a dollar CPM, like most buyers.
  const rounded = Math.max(0.0001, Math.round(price * 10_000) / 10_000);
  const floor = imp.bidfloor ?? 0;
  const paid = rounded < floor && rounded * (personality.worth?.[offer.format] ?? 1) >= floor ? floor : rounded;
  if (paid < floor && personality.ignoresFloor !== true) return undefined;

  const subjects = SUBJECTS.filter((subject) => !blockedSubject(subject, request.badv, request.bcat));
  if (subjects.length === 0) return undefined;
  return { imp, offer, price: paid, subject: random.pick(subjects) };
}

/** Whether the player accepts the lab's video or audio file. */
function playable(imp: Imp, { mediaType }: Offer): boolean {
  if (mediaType === "video") return imp.video?.mimes.includes("video/mp4") === true && fits(imp.video);
  if (mediaType === "audio")
    return imp.audio?.mimes.some((mime) => /^audio\/(mpeg|mp3)$/.test(mime)) === true && fits(imp.audio);
  return true;
}

/** Length of the lab's video and audio, in seconds. */
export const SPOT_SECONDS = 15;

const fits = ({ minduration = 0, maxduration = Infinity }: { minduration?: number; maxduration?: number }) =>
  minduration <= SPOT_SECONDS && SPOT_SECONDS <= maxduration;
