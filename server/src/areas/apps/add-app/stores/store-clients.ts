import type { GuardedClient } from "../../../../platform/outbound/guarded-get.ts";
import type { StoreName } from "../store-address.ts";
import { amazonAppstore } from "./amazon-appstore.ts";
import { appStore } from "./app-store.ts";
import { googlePlay } from "./google-play.ts";
import { rokuChannels } from "./roku-channels.ts";
import { type StoreClient, type ReadStore, StoreUnreachable } from "./store-client.ts";

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
function readStore(
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

export type StoreClients = Record<StoreName, StoreClient>;

/** The clients of all stores. Without an `origin` they use the stores' own addresses. */
export function storeClients(
  client: GuardedClient,
  { origin, timeoutMs }: { origin?: string | undefined; timeoutMs?: number | undefined } = {},
): StoreClients {
  const read = readStore(client, {
    ...(origin !== undefined && { trustedOrigins: new Set([origin]) }),
    ...(timeoutMs !== undefined && { timeoutMs }),
  });
  return {
    googlePlay: googlePlay(read, origin),
    appStore: appStore(read, origin),
    amazon: amazonAppstore(read, origin === undefined ? undefined : () => origin),
    roku: rokuChannels(read, origin),
  };
}
