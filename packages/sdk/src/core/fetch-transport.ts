import { SdkError } from "./failure.ts";
import type { Transport } from "./host.ts";

/** More than an answer has; what goes on after that is not from our server. */
const MAX_REPLY_BYTES = 8 * 1024 * 1024;

/** Sends with the host's fetch: without cookies or cache, and without following redirects. Rejects with SdkError `timeout` at the limit. */
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
      const text = await textOf(reply);
      // Browsers hide redirects and report status 0 with this type.
      const status = reply.type === "opaqueredirect" ? 302 : reply.status;
      return { status, json: parsed(text), retryAfterMs: retryAfter(reply.headers.get("retry-after")) };
    } catch (cause) {
      if (stop.signal.aborted) throw new SdkError("timeout", `no answer within ${timeoutMs} ms`);
      throw cause;
    } finally {
      stop.abort();
      clearTimeout(timer);
    }
  };
}

/** The body as text, without holding more of it than an answer can have. */
async function textOf(reply: Response): Promise<string> {
  const reader = reply.body?.getReader();
  if (!reader) return reply.text();
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    if (bytes > MAX_REPLY_BYTES) throw new SdkError("bad_reply", "the answer is too long");
    text += decoder.decode(value, { stream: true });
  }
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
