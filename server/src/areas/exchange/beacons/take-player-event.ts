import type { PlayerEvent, StepOutcome } from "@millrace/contract";
import type { LRUCache } from "lru-cache";
import type { Clock } from "../../../platform/clock.ts";
import { lruCache } from "../../../platform/lru-cache.ts";
import { type EventSink, type PlayerEventRow, atSeconds } from "../../statistics/index.ts";
import type { AdFacts, OpenedToken } from "../delivery/beacon-token.ts";
import { invalidReason } from "./invalid-traffic.ts";
import { type MinuteCounts, countKey } from "./minute-counts.ts";

/** Enough for the ads that play at the same time. The store drops repetitions beyond that. */
const MAX_REMEMBERED = 50_000;
/** VAST's error codes have three digits; 900 is "undefined error". */
const UNDEFINED_ERROR = 900;

/** Player events that are stored or being stored, by id. */
export type RecentEvents = LRUCache<string, Promise<void>>;
export const newRecentEvents = (): RecentEvents => lruCache(MAX_REMEMBERED);

interface PlayerEventDeps {
  events: EventSink;
  counts: MinuteCounts;
  recentEvents: RecentEvents;
  clock: Clock;
}

/** A tracking event, what became of an adapter, or an error with VAST's code. */
export type ReportedEvent =
  | { event: PlayerEvent | StepOutcome; errorCode?: never }
  | { event: "error"; errorCode: number };

/**
 * Stores a player's event, each event of an ad once. Nothing is billed by it, so events of tests, crawlers and expired
 * ads are not stored at all. Rejects with Problem `unavailable` if it cannot be stored.
 */
export async function takePlayerEvent(
  { events, counts, clock, recentEvents }: PlayerEventDeps,
  { facts, eventIds }: OpenedToken,
  { event, errorCode = 0 }: ReportedEvent,
  sender: { userAgent: string },
): Promise<void> {
  const now = clock.now();
  const eventId = `${eventIds.player}${event}`;
  const known = recentEvents.get(eventId);
  if (known) return known;
  if (now > facts.expiresAtMs) return;
  const key = countKey("player event of", `${facts.device} ${event}`);
  const reason = invalidReason({
    kind: "impression",
    isTest: facts.test,
    userAgent: sender.userAgent,
    ageMs: now - facts.issuedAtMs,
    hasImpression: true,
    ofDevice: counts.begin(key, now),
    // Each address has a rate limit, and an ad has few events.
    ofAddress: 0,
  });
  let isKept = false;
  try {
    if (reason !== null) return;
    const keeping = events.append("player_events", rowOf(facts, eventId, event, errorCode, now));
    recentEvents.set(eventId, keeping);
    await keeping;
    isKept = true;
  } finally {
    if (!isKept) recentEvents.delete(eventId);
    counts.end(key, clock.now(), isKept);
  }
}

/** The code that a player put into VAST's [ERRORCODE] macro. */
export function errorCodeOf(text: string): number {
  return /^[1-9]\d{2}$/.test(text) ? Number(text) : UNDEFINED_ERROR;
}

function rowOf(
  facts: AdFacts,
  eventId: string,
  event: PlayerEventRow["event"],
  errorCode: number,
  atMs: number,
): PlayerEventRow {
  return {
    at: atSeconds(atMs),
    event,
    event_id: eventId,
    auction_id: facts.auctionId,
    app_id: facts.appId,
    zone: facts.zone,
    format: facts.format,
    country: facts.country,
    platform: facts.platform,
    provider: facts.provider,
    creative: facts.creative,
    error_code: errorCode,
    device: facts.device,
    campaign_id: facts.campaign?.id ?? 0,
    demo: facts.demo ? 1 : 0,
  };
}
