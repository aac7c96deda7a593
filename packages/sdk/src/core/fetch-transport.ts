import type { Transport } from "./seams.ts";

/** Sends by the host's fetch: no cookies, no cache, no redirects followed. */
export function fetchTransport(send: typeof fetch): Transport {
  return async ({ url, body, timeoutMs }) => {
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), timeoutMs);
    try {
      const reply = await send(url, {
        credentials: "omit",
        cache: "no-store",
        // A click's redirect leads to the advertiser's page, which is opened by the person and not by the beacon.
        redirect: "manual",
        signal: stop.signal,
        ...(body === undefined
          ? { method: "GET", keepalive: true }
          : { method: "POST", body, headers: { "content-type": "application/json" } }),
      });
      const text = await reply.text();
      // A browser hides what a redirect said, and reports it as status 0 of this type.
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

/** Only the form in seconds: the date form would trust the device's clock. */
function retryAfter(header: string | null): number | null {
  return header !== null && /^\d{1,6}$/.test(header.trim()) ? Number(header) * 1000 : null;
}
