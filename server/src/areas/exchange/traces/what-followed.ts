import { LINE_PROVIDER, notCountedText, PLAYER_EVENT_LABELS } from "@millrace/contract";
import type { LineItemConfig } from "../config/snapshot.ts";
import type { StoredEvent, StoredPlayerEvent } from "./stored-auction.ts";

/** The events after an auction, in order. Player events are recorded and never counted. */
export function whatFollowed(
  atMs: number,
  { events, playerEvents }: { events: readonly StoredEvent[]; playerEvents: readonly StoredPlayerEvent[] },
  lineItems: readonly LineItemConfig[],
  nameOf: (provider: string) => string,
) {
  const itemName = (isIt: (item: LineItemConfig) => boolean, { provider }: { provider: string }) =>
    (provider === LINE_PROVIDER.id && lineItems.find(isIt)?.name) || nameOf(provider);
  const counted = events.map((event) => ({
    name: itemName(({ id }) => id === event.campaignId, event),
    eventAtMs: event.atMs,
    kind: event.kind,
    label: event.kind === "impression" ? "Impression" : "Click",
    provider: event.provider,
    zone: event.zone,
    format: event.format,
    counted: event.invalid === "",
    why_not: event.invalid === "" ? null : { code: event.invalid, text: notCountedText(event.invalid) },
    revenue: event.revenueMicros === 0 ? null : event.revenueMicros,
  }));
  const played = playerEvents.map((event) => ({
    // A line item's bid has the item's id as its creative.
    name: itemName(({ uuid }) => uuid === event.creative, event),
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
      at: new Date(eventAtMs).toISOString(),
      after_ms: eventAtMs - atMs,
    }));
}
