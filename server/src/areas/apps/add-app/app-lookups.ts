import { randomBytes } from "node:crypto";
import type { Pool } from "pg";
import type { Clock } from "../../../platform/clock.ts";
import type { Log } from "../../../platform/log.ts";
import {
  type FoundItem,
  type LookupState,
  deleteLookupsBefore,
  findLookup,
  insertLookup,
  setLookup,
} from "./lookup-store.ts";
import type { StoreAddress } from "./store-address.ts";
import { StoreUnreachable } from "./stores/store-client.ts";
import type { StoreClients } from "./stores/store-clients.ts";

/** Store look-ups that run outside the requests that ask about them. */
export interface AppLookups {
  /** Starts a look-up and returns its id. */
  begin(accountId: number, address: StoreAddress): Promise<string>;
  /** The state of a look-up; undefined for another account's or an expired one. */
  find(accountId: number, qid: string): Promise<{ state: LookupState; items: FoundItem[] } | undefined>;
  /** Deletes expired look-ups. */
  clean(): Promise<void>;
  /** Resolves when nothing is looked up any more. */
  settle(): Promise<void>;
}

const KEPT_MS = 3_600_000;
/** Longer than every store's time limit: the worker has died. */
const LOST_MS = 20_000;
/** The number of concurrent look-ups, over all accounts. */
const AT_ONCE = 8;

export function appLookups(deps: { pool: Pool; clock: Clock; log: Log; stores: StoreClients }): AppLookups {
  const { pool, clock, log, stores } = deps;
  const waiting: (() => void)[] = [];
  const running = new Set<Promise<void>>();
  let active = 0;

  async function work(accountId: number, qid: string, address: StoreAddress): Promise<void> {
    if (active >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
    active += 1;
    try {
      await setLookup(pool, accountId, { qid, state: "working" });
      await setLookup(pool, accountId, { qid, ...(await look(address)) });
    } catch (error) {
      // A look-up past its time limit reads as lost.
      log.warn({ err: error }, "an app store lookup could not be saved");
    } finally {
      active -= 1;
      waiting.shift()?.();
    }
  }

  async function look(address: StoreAddress): Promise<{ state: LookupState; items: FoundItem[] }> {
    try {
      const listing = await stores[address.store].find(address);
      const items = (listing?.platforms ?? []).map((platform) => ({
        id: `${platform}:${address.id}`,
        platform,
        name: listing?.name ?? "",
        logo_url: listing?.logoUrl ?? null,
        url: address.url,
        store_id: address.id,
        bundle_id: listing?.bundleId ?? "",
      }));
      return { state: "done", items };
    } catch (error) {
      if (!(error instanceof StoreUnreachable)) log.error({ err: error }, "reading an app store's reply failed");
      else log.debug({ store: address.store, reason: error.message }, "an app store cannot be read");
      return { state: "unreachable", items: [] };
    }
  }

  const clean = () => deleteLookupsBefore(pool, new Date(clock.now() - KEPT_MS));

  return {
    clean,
    async begin(accountId, address) {
      await clean();
      const qid = randomBytes(16).toString("base64url");
      await insertLookup(pool, accountId, { qid, url: address.url, createdAt: new Date(clock.now()) });
      const run = work(accountId, qid, address).finally(() => running.delete(run));
      running.add(run);
      return qid;
    },
    async find(accountId, qid) {
      const found = await findLookup(pool, accountId, qid);
      if (!found || clock.now() - found.createdAt.getTime() > KEPT_MS) return undefined;
      const isUnderWay = found.state === "waiting" || found.state === "working";
      const isLost = isUnderWay && clock.now() - found.createdAt.getTime() > LOST_MS;
      return { state: isLost ? "unreachable" : found.state, items: found.items };
    },
    settle: async () => {
      await Promise.all(running);
    },
  };
}
