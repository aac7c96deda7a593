import type { EVENT_REFUSALS, SdkEvent } from "@millrace/contract";

/** An event for `POST /sdk/v1/events`, and the base address of its platform. */
export interface BatchEvent {
  platform: string;
  event: SdkEvent;
}

const BEACON = /^(.+)\/beacon\/(impression|click|loss)\?t=([\w.~-]+)$/;
const PING = /^(.+)\/sdk\/v1\/ping$/;

/**
 * Converts a request to an event; null if it must be sent by itself, such as an address with more than its token (a
 * click's destination).
 */
export function batchEventOf(url: string, body?: string): BatchEvent | null {
  const [, platform, type, token] = BEACON.exec(url) ?? [];
  if (body === undefined) {
    return platform && token ? { platform, event: { type: type as "impression" | "click" | "loss", token } } : null;
  }
  const [, pinged] = PING.exec(url) ?? [];
  return pinged ? { platform: pinged, event: { ...(JSON.parse(body) as SdkEvent), type: "ping" } as SdkEvent } : null;
}

export const batchRequest = ({ platform }: BatchEvent, events: SdkEvent[]) => ({
  url: `${platform}/sdk/v1/events`,
  body: JSON.stringify({ events }),
});

export type Verdict = "delivered" | "refused" | "retrying";

const FINAL = new Set<unknown>([
  "malformed",
  "forged",
  "expired",
  "session_unknown",
] satisfies (typeof EVENT_REFUSALS)[number][]);

/** The result of each event of a batch, in order. An event without a clear result is sent again. */
export function verdictsOf(json: unknown, count: number): Verdict[] {
  const results = (json as { results?: unknown } | null | undefined)?.results;
  const entries = Array.isArray(results) && results.length === count ? (results as unknown[]) : Array(count).fill(null);
  return entries.map((entry) => {
    const { result, code } = (entry ?? {}) as { result?: unknown; code?: unknown };
    if (result === "accepted" || result === "duplicate") return "delivered";
    return result === "refused" && FINAL.has(code) ? "refused" : "retrying";
  });
}
