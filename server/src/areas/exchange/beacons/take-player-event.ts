import type { PlayerEvent } from "@millrace/contract";
import { LRUCache } from "lru-cache";
import type { Clock } from "../../../platform/clock.ts";
import { type EventSink, type PlayerEventRow, atSeconds } from "../../statistics/index.ts";
import type { AdFacts, OpenedToken } from "../delivery/beacon-token.ts";
import { invalidReason } from "./invalid-traffic.ts";
import { type MinuteCounts, countKey } from "./minute-counts.ts";

/** Enough for the ads that play at one time; a repetition after that is dropped by the store. */
const MAX_REMEMBERED = 50_000;
/** VAST's error codes have three digits; 900 is the undefined error. */
const UNDEFINED_ERROR = 900;

/** Player events that are kept or being kept, by their ids. */
export type ToldEvents = LRUCache<string, Promise<void>>;
export const toldEvents = (): ToldEvents => new LRUCache({ max: MAX_REMEMBERED });

interface PlayerEventDeps {
  events: EventSink;
  counts: MinuteCounts;
  told: ToldEvents;
  clock: Clock;
}

/** What a player told: one of its events, or an error by VAST's code. */
export type Told = { event: PlayerEvent; errorCode?: never } | { event: "error"; errorCode: number };

/**
 * Keeps what a player told of an ad, each event of an ad once. Nothing is billed by it, so an event of a test, a crawler
 * or an expired ad is not kept at all. Rejects with Problem `unavailable` when it cannot be kept.
 */
export async function takePlayerEvent(
  { events, counts, clock, told }: PlayerEventDeps,
  { facts, eventIds }: OpenedToken,
  { event, errorCode = 0 }: Told,
  sender: { userAgent: string },
): Promise<void> {
  const now = clock.now();
  const eventId = `${eventIds.player}${event}`;
  const known = told.get(eventId);
  if (known) return known;
  if (now > facts.expiresAtMs) return;
  const key = countKey(`${event} of ${facts.device}`);
  const reason = invalidReason({
    kind: "impression",
    isTest: facts.test,
    userAgent: sender.userAgent,
    ageMs: now - facts.issuedAtMs,
    hasImpression: true,
    ofDevice: counts.begin(key, now),
    // Each address calls at a limited rate, and one ad has few events.
    ofAddress: 0,
  });
  let isKept = false;
  try {
    if (reason !== null) return;
    const keeping = events.append("player_events", rowOf(facts, eventId, event, errorCode, now));
    told.set(eventId, keeping);
    await keeping;
    isKept = true;
  } finally {
    if (!isKept) told.delete(eventId);
    counts.end(key, clock.now(), isKept);
  }
}

/** VAST's error code as a player put it into the macro. */
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
    demo: facts.demo ? 1 : 0,
  };
}
