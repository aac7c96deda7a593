import type { Transport } from "./host.ts";

/** Sends with the host's fetch: without cookies or cache, and without following redirects. */
export function fetchTransport(send: typeof fetch): Transport {
  return async ({ url, body, timeoutMs }) => {
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), timeoutMs);
    try {
      const reply = await send(url, {
        credentials: "omit",
        cache: "no-store",
        // A click redirects to the advertiser's page, which the user opens, not the beacon.
        redirect: "manual",
        signal: stop.signal,
        ...(body === undefined
          ? { method: "GET", keepalive: true }
          : { method: "POST", body, headers: { "content-type": "application/json" } }),
      });
      const text = await reply.text();
      // Browsers hide redirects and report status 0 with this type.
      const status = reply.type === "opaqueredirect" ? 302 : reply.status;
      return { status, json: parsed(text), retryAfterMs: retryAfter(reply.headers.get("retry-after")) };
    } finally {
      clearTimeout(timer);
    }
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Reads only the form in seconds, because the date form depends on the device's clock. */
function retryAfter(header: string | null): number | null {
  return header !== null && /^\d{1,6}$/.test(header.trim()) ? Number(header) * 1000 : null;
}
