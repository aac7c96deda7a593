import { randomUUID } from "node:crypto";
import type { signAd } from "../../server/src/areas/exchange/index.ts";

type AdFacts = Parameters<typeof signAd>[1];

const DAY_MS = 86_400_000;
/** The publisher's share of one impression of these ads, in micro-dollars. */
export const REVENUE_MICROS = 1120;

/** The facts of the nth ad: its own auction and device, everything else equal. */
export function adFacts(appId: number, nth: number, nowMs: number): AdFacts {
  return {
    auctionId: randomUUID(),
    impId: "1",
    candidateId: "bidder-01.0.0",
    appId,
    zone: "home",
    format: "banner",
    country: "US",
    platform: "android",
    provider: "bidder-01",
    creative: "creative-1",
    device: String(BigInt(nowMs) * 1_000_003n + BigInt(nth)),
    // Varies, so that the token has its usual length.
    firstDay: Math.floor(nowMs / DAY_MS) - (nth % 30),
    sdkVersion: "1.0.0",
    priceMicros: 1_400_000,
    revenueMicros: REVENUE_MICROS,
    issuedAtMs: nowMs,
    expiresAtMs: nowMs + DAY_MS,
    demo: false,
    test: false,
    campaign: null,
  };
}
