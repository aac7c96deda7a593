import { PLAYER_EVENT_LABELS } from "@millrace/contract";
import type { InvalidReason } from "../beacons/invalid-traffic.ts";
import type { StoredEvent, StoredPlayerEvent } from "./stored-auction.ts";

/** Why an event does not count, as the end of a sentence. */
export const INVALID_TEXTS = {
  forged: "its signature is missing or wrong",
  expired: "it came after the ad had expired",
  replayed: "it repeats an earlier one",
  test: "it is a test",
  user_agent_missing: "the sender names no browser or app",
  crawler: "the sender is a crawler",
  click_without_impression: "a click on an ad without an impression",
  click_too_fast: "a click sooner than a person can tap",
  device_flood: "too many from one device in a minute",
  address_flood: "too many from one address in a minute",
} as const satisfies Record<InvalidReason, string>;

export const invalidText = (code: string): string =>
  Object.hasOwn(INVALID_TEXTS, code) ? INVALID_TEXTS[code as InvalidReason] : code;

/** The events after an auction, in order. Player events are recorded and never counted. */
export function whatFollowed(
  atMs: number,
  { events, playerEvents }: { events: readonly StoredEvent[]; playerEvents: readonly StoredPlayerEvent[] },
  nameOf: (provider: string) => string,
) {
  const counted = events.map((event) => ({
    eventAtMs: event.atMs,
    kind: event.kind,
    label: event.kind === "impression" ? "Impression" : "Click",
    provider: event.provider,
    zone: event.zone,
    format: event.format,
    counted: event.invalid === "",
    why_not: event.invalid === "" ? null : { code: event.invalid, text: invalidText(event.invalid) },
    revenue: event.revenueMicros === 0 ? null : event.revenueMicros,
  }));
  const played = playerEvents.map((event) => ({
    eventAtMs: event.at_ms,
    kind: event.event,
    label: PLAYER_EVENT_LABELS[event.event] + (event.error_code === 0 ? "" : ` ${event.error_code}`),
    provider: event.provider,
    zone: event.zone,
    format: event.format,
    counted: null,
    why_not: null,
    revenue: null,
  }));
  return [...counted, ...played]
    .toSorted((a, b) => a.eventAtMs - b.eventAtMs)
    .map(({ eventAtMs, ...event }) => ({
      ...event,
      name: nameOf(event.provider),
      at: new Date(eventAtMs).toISOString(),
      after_ms: eventAtMs - atMs,
    }));
}
