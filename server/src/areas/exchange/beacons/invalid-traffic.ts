import { isbot } from "isbot";
import { LRUCache } from "lru-cache";

/** Why an event is kept but does not count, and is never billed. The first that applies. */
export const INVALID_REASONS = [
  /** No token of ours, or one that was changed. */
  "forged",
  /** The token is older than its life. */
  "expired",
  /** The same event once more. */
  "replayed",
  "test",
  "user_agent_missing",
  "crawler",
  /** A click on an ad that never began to render. */
  "click_without_impression",
  /** A click sooner after the auction than a person can see, aim and press. */
  "click_too_fast",
  "device_flood",
  "address_flood",
] as const;
export type InvalidReason = (typeof INVALID_REASONS)[number];

/** What is known of an event that would otherwise count. */
export interface EventFacts {
  kind: "impression" | "click";
  isTest: boolean;
  userAgent: string;
  /** Milliseconds since the auction. */
  ageMs: number;
  /** For a click: its impression is kept. */
  hasImpression: boolean;
  /** Events of this kind in about a minute, this one included. */
  ofDevice: number;
  ofAddress: number;
}

/** A person sees an ad before they press on it. */
const FASTEST_CLICK_MS = 100;
/** In a minute. An address may stand for a whole mobile network, a device for one person. */
const MOST = {
  impression: { device: 120, address: 6000 },
  click: { device: 10, address: 600 },
} as const;

/** Classifies an event; null when it counts. A pure function. */
export function invalidReason(facts: EventFacts): InvalidReason | null {
  if (facts.isTest) return "test";
  if (facts.userAgent === "") return "user_agent_missing";
  if (isCrawler(facts.userAgent)) return "crawler";
  if (facts.kind === "click" && !facts.hasImpression) return "click_without_impression";
  if (facts.kind === "click" && facts.ageMs < FASTEST_CLICK_MS) return "click_too_fast";
  const most = MOST[facts.kind];
  if (facts.ofDevice > most.device) return "device_flood";
  return facts.ofAddress > most.address ? "address_flood" : null;
}

/** What native apps send beacons with, which the lists of crawlers name among the tools of scripts. */
const APP_LIBRARIES = /^(okhttp|Dalvik|[\w.]+\/[\d.]+ CFNetwork)/;
const known = new LRUCache<string, boolean>({ max: 10_000 });
const LONGEST_KNOWN = 512;

function isCrawler(userAgent: string): boolean {
  let crawler = known.get(userAgent);
  if (crawler === undefined) {
    crawler = isbot(userAgent) && !APP_LIBRARIES.test(userAgent);
    if (userAgent.length <= LONGEST_KNOWN) known.set(userAgent, crawler);
  }
  return crawler;
}
