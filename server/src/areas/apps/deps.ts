import type { AppPartner } from "@millrace/contract";
import type { Pool, PoolClient } from "pg";
import type { Clock } from "../../platform/clock.ts";
import type { FairQueue } from "../../platform/fair-queue.ts";
import type { Log } from "../../platform/log.ts";
import type { Statistics } from "../statistics/index.ts";

export interface AppsDeps {
  pool: Pool;
  clock: Clock;
  log: Log;
  /** Where devices and players find the platform; without a slash at its end. */
  publicUrl: string;
  /** New apps are live at once instead of waiting for a moderator. */
  demo: boolean;
  /** Where all app stores are, in tests; unset, each is asked at its own address. */
  storeOrigin?: string;
  statistics: Statistics;
  /** Calls that ask the statistics take turns by account. */
  turns: FairQueue;
  /** What people call the providers, by id; the demand-partners area knows. */
  providerNames(): Promise<ReadonlyMap<string, string>>;
  /** The partners as an app of the account sees them, and its switch for one of them; false where the app has no keys there. */
  partnersOf(accountId: number, appId: number): Promise<AppPartner[]>;
  switchPartner(
    client: PoolClient,
    accountId: number,
    to: { appId: number; partnerId: string; enabled: boolean },
  ): Promise<boolean>;
  /** The newest SDK, and where its changes and itself are found. */
  sdk: { latest: string; changelogUrl: string | null; updateUrl: string | null };
}
