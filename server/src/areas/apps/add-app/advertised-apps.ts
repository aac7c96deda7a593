import type { Pool } from "pg";
import { Problem } from "../../../platform/http/problem.ts";
import type { AddThrottle } from "./add-throttle.ts";
import type { AppLookups } from "./app-lookups.ts";
import { type Lookup, findLogo } from "./lookup-store.ts";
import { readStoreAddress } from "./store-address.ts";

/** Look-ups of apps that the account does not add but advertise. They share the limits of the others. */
export interface AdvertisedApps {
  /** Begins a look-up and returns its id; null if the text names no app of a store. Problem `too_many`. */
  begin(accountId: number, text: string): Promise<string | null>;
  /** The account's look-up. Problem `not_found` if it has expired. */
  find(accountId: number, qid: string): Promise<Pick<Lookup, "state" | "items">>;
  /** The picture of an app that the account has looked up in the last hour; null otherwise. */
  logoOf(accountId: number, app: { storeId: string; platform: "ios" | "android" }): Promise<string | null>;
}

export function advertisedApps({
  pool,
  lookups,
  throttle,
}: {
  pool: Pool;
  lookups: AppLookups;
  throttle: AddThrottle;
}): AdvertisedApps {
  return {
    async begin(accountId, text) {
      const address = readStoreAddress(text);
      if (!address) return null;
      await throttle.lookups.take(accountId);
      return lookups.begin(accountId, address);
    },
    async find(accountId, qid) {
      const found = await lookups.find(accountId, qid);
      if (!found) throw new Problem("not_found", LOOKUP_EXPIRED);
      return found;
    },
    logoOf: (accountId, app) => findLogo(pool, accountId, app),
  };
}

export const LOOKUP_EXPIRED = "This search has expired. Please search again";
