import type { GuardedClient } from "../../../../platform/outbound/guarded-get.ts";
import type { StoreName } from "../store-address.ts";
import { amazonAppstore } from "./amazon-appstore.ts";
import { appStore } from "./app-store.ts";
import { googlePlay } from "./google-play.ts";
import { readStore } from "./read-store.ts";
import { rokuChannels } from "./roku-channels.ts";
import type { StoreClient } from "./store-client.ts";

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
