import type { NotCountedReason } from "@millrace/contract";
import { isbot } from "isbot";
import { lruCache } from "../../../platform/lru-cache.ts";

/** Why an event is stored but not counted or billed: the first reason that applies. */
export const INVALID_REASONS = [
  /** The token is missing, forged or changed. */
  "forged",
  /** The token has expired. */
  "expired",
  /** The event repeats an earlier one. */
  "replayed",
  "test",
  "user_agent_missing",
  "crawler",
  /** A click on an ad that was never shown. */
  "click_without_impression",
  /** A click sooner after the auction than a person can see, aim and tap. */
  "click_too_fast",
  "device_flood",
  "address_flood",
  /** An impression after that of another ad of the same place: an answer's ads are there to choose one from. */
  "other_ad_shown",
  /** A campaign's impression that its budget can no longer pay. */
  "over_budget",
  /** A campaign's impression that would exceed one of its frequency caps. */
  "over_cap",
] as const satisfies readonly NotCountedReason[];
export type InvalidReason = (typeof INVALID_REASONS)[number];

/** The facts that decide whether an event counts. */
export interface EventFacts {
  kind: "impression" | "click";
  isTest: boolean;
  userAgent: string;
  /** Milliseconds since the auction. */
  ageMs: number;
  /** For a click: whether its impression is stored. */
  hasImpression: boolean;
  /** Events of this kind in about a minute, this one included. */
  ofDevice: number;
  ofAddress: number;
}

/** A person needs this long to see an ad and tap on it. */
const FASTEST_CLICK_MS = 100;
/** Per minute. An address may be shared by a whole mobile network, a device belongs to one person. */
const MAX_PER_MINUTE = {
  impression: { device: 120, address: 6000 },
  click: { device: 10, address: 600 },
} as const;

/** Returns why an event does not count, or null if it does. Pure. */
export function invalidReason(facts: EventFacts): InvalidReason | null {
  if (facts.isTest) return "test";
  if (facts.userAgent === "") return "user_agent_missing";
  if (isCrawler(facts.userAgent)) return "crawler";
  if (facts.kind === "click" && !facts.hasImpression) return "click_without_impression";
  if (facts.kind === "click" && facts.ageMs < FASTEST_CLICK_MS) return "click_too_fast";
  const limits = MAX_PER_MINUTE[facts.kind];
  if (facts.ofDevice > limits.device) return "device_flood";
  return facts.ofAddress > limits.address ? "address_flood" : null;
}

/** HTTP libraries of native apps, which crawler lists also name as scripting tools. */
const APP_LIBRARIES = /^(okhttp|Dalvik|[\w.]+\/[\d.]+ CFNetwork)/;
const known = lruCache<string, boolean>(10_000);
const LONGEST_KNOWN = 512;

function isCrawler(userAgent: string): boolean {
  let crawler = known.get(userAgent);
  if (crawler === undefined) {
    crawler = isbot(userAgent) && !APP_LIBRARIES.test(userAgent);
    if (userAgent.length <= LONGEST_KNOWN) known.set(userAgent, crawler);
  }
  return crawler;
}
