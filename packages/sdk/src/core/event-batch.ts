import type { EVENT_REFUSALS, SdkEvent } from "@millrace/contract";

/** An event as `POST /sdk/v1/events` takes it, and the platform it belongs to. */
export interface BatchEvent {
  platform: string;
  event: SdkEvent;
}

const BEACON = /^(.+)\/beacon\/(impression|click|loss)\?t=([\w.~-]+)$/;
const PING = /^(.+)\/sdk\/v1\/ping$/;

/**
 * The event that a request tells of; null where only the request itself will do. An address with more than its token in
 * it (a click's destination) is such a request.
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

/** What became of each event of a batch, in their order; what the answer does not tell clearly is sent again. */
export function verdictsOf(json: unknown, count: number): Verdict[] {
  const results = (json as { results?: unknown } | null | undefined)?.results;
  const told = Array.isArray(results) && results.length === count ? (results as unknown[]) : Array(count).fill(null);
  return told.map((each) => {
    const { result, code } = (each ?? {}) as { result?: unknown; code?: unknown };
    if (result === "accepted" || result === "duplicate") return "delivered";
    return result === "refused" && FINAL.has(code) ? "refused" : "retrying";
  });
}
