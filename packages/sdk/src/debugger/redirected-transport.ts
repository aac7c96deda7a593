import type { Format } from "@millrace/contract";
import type { Incoming, Outgoing, Transport } from "../core/index.ts";
import { FORMATS } from "../core/options.ts";
import { fakeBeacons, fakeReply } from "./fake-ad.ts";

/** Where ads come from: drawn here, or sold in an auction that is marked as a test, to one provider or to all (`null`). */
export type Source = { kind: "fake" } | { kind: "auction"; token: string; provider: string | null };

/**
 * Sends requests for ads to the source, as long as there is one. Fake ads are answered here with their beacons, so that nothing
 * of them leaves the page; an auction's ads are tests of the platform, which counts and bills none.
 */
export function redirectedTransport(
  send: Transport,
  endpoint: string,
  source: () => Source | null,
  newId: () => string,
): Transport {
  return async (request) => {
    // Also after the source has changed, for ads that are still on the screen.
    if (request.url.startsWith(fakeBeacons(endpoint))) return replyWith(204);
    const active = source();
    const adBody = active && request.url === `${endpoint}/sdk/v1/ad` ? bodyOf(request) : null;
    if (!active || !adBody) return send(request);
    const { format } = adBody;
    if (active.kind === "fake") {
      return isFormat(format)
        ? replyWith(200, fakeReply(endpoint, format, adBody, newId()))
        : replyWith(400, { error: "The debugger does not know this format" });
    }
    const debug = { token: active.token, ...(active.provider !== null && { provider: active.provider }) };
    return send({ ...request, body: JSON.stringify({ ...adBody, test: 1, debug }) });
  };
}

/**
 * The same for the debugger's own test ads. They need no session of their own, which would be counted: `session` is the app's,
 * and a start is answered here.
 */
export function previewTransport(send: Transport, endpoint: string, session: () => string | null): Transport {
  return async (request) => {
    if (request.url === `${endpoint}/sdk/v1/init`) {
      const known = { session_timeout_seconds: 86_400, latest_sdk_version: "", zones: [], ping_seconds: 86_400 };
      return replyWith(200, { ...known, session: session() ?? "none" });
    }
    if (request.url === `${endpoint}/sdk/v1/ping`) return replyWith(204);
    const adBody = request.url === `${endpoint}/sdk/v1/ad` ? bodyOf(request) : null;
    // The app's session may have been replaced since the preview started.
    return send(adBody ? { ...request, body: JSON.stringify({ ...adBody, session: session() ?? "none" }) } : request);
  };
}

const isFormat = (value: unknown): value is Format => FORMATS.some((format) => format === value);

const replyWith = (status: number, json?: unknown): Incoming => ({ status, json, retryAfterMs: null });

function bodyOf({ body }: Outgoing): Record<string, unknown> | null {
  try {
    return JSON.parse(body ?? "null") as Record<string, unknown> | null;
  } catch {
    return null;
  }
}
