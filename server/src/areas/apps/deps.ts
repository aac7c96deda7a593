import type { AppPartner } from "@millrace/contract";
import type { Pool, PoolClient } from "pg";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { SiteState } from "../demand-partners/index.ts";
import type { Statistics } from "../statistics/index.ts";
import type { SampleFigures } from "./add-app/sample-apps.ts";

export interface AppsDeps {
  pool: Pool;
  clock: Clock;
  log: Log;
  /** The public origin for devices and players, without a trailing slash. */
  publicUrl: string;
  /** New apps are live at once instead of waiting for a moderator. */
  demo: boolean;
  /** The origin of all app stores in tests; when unset, each store's own. */
  storeOrigin?: string;
  statistics: Statistics;
  /** Labels of the providers by id, from the demand-partners area. */
  providerNames(): Promise<ReadonlyMap<string, string>>;
  /** The figures of sample apps. */
  samples: SampleFigures;
  /** Names of users of the account by id, from the accounts area; those who left it are missing. */
  memberNames(accountId: number, userIds: readonly number[]): Promise<ReadonlyMap<number, string>>;
  /** The partners of one of the account's apps, and the switch for each; false if the app has no keys there. */
  partnersOf(accountId: number, appId: number): Promise<AppPartner[]>;
  switchPartner(
    client: PoolClient,
    accountId: number,
    to: { appId: number; partnerId: string; enabled: boolean },
  ): Promise<boolean>;
  /** Gives an app keys at the demo's partners and returns the partners' ids. */
  connectDemoPartners(client: PoolClient, accountId: number, appId: number): Promise<string[]>;
  /** What is known of the app-ads.txt on the account's developer site. */
  siteState(accountId: number): Promise<SiteState>;
  /** The path of the dashboard's font, for the frame of instructions; null if the dashboard is not built. */
  fontPath: string | null;
  /** The newest SDK version. */
  sdk: { latest: string };
}
