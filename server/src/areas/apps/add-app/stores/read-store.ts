import type { GuardedClient } from "../../../../platform/outbound/guarded-get.ts";
import { type ReadStore, StoreUnreachable } from "./store-client.ts";

const LIMITS = { timeoutMs: 5000, maxBytes: 1024 * 1024, maxRedirects: 3 };
/**
 * Asks for names in English, whatever the server's country; some stores refuse callers without a browser's user agent.
 */
const HEADERS = {
  accept: "text/html,application/json;q=0.9",
  "accept-language": "en-US,en;q=0.8",
  "user-agent": "Mozilla/5.0 (compatible; Millrace store lookup)",
};

/** Reads store pages through the guarded client; `trustedOrigins` are local stores in tests. */
export function readStore(
  client: GuardedClient,
  { trustedOrigins = new Set<string>(), timeoutMs = LIMITS.timeoutMs } = {},
): ReadStore {
  return async (url) => {
    const answer = await client.read(url, { ...LIMITS, timeoutMs, trustedOrigins, headers: HEADERS });
    if (!answer.ok) throw new StoreUnreachable(answer.reason);
    if (answer.status === 404 || answer.status === 410) return null;
    if (answer.status !== 200) throw new StoreUnreachable(`status ${answer.status}`, answer.status);
    return answer.body;
  };
}
