import type { LookupItem } from "@millrace/contract";
import type { Pool } from "pg";
import type { Clock } from "../../platform/clock.ts";
import type { StoredFiles } from "../../platform/files/stored-files.ts";
import type { Jobs } from "../../platform/jobs/index.ts";
import type { Statistics } from "../statistics/index.ts";

/** A campaign's figures of some days. */
export interface Figures {
  impressions: number;
  clicks: number;
  conversions: number;
  /** In micro-dollars. */
  costs: number;
}

type FoundApp = LookupItem & { store_id: string; bundle_id: string };

/** Look-ups of published apps, which the apps area does. */
export interface AppLookup {
  /** Begins a look-up and returns its id; null if the text names no app of an app store. Problem `too_many`. */
  begin(accountId: number, text: string): Promise<string | null>;
  /** The state of the account's look-up. Problem `not_found` if it has expired. */
  find(
    accountId: number,
    qid: string,
  ): Promise<{ state: "waiting" | "working" | "done" | "unreachable"; items: FoundApp[] }>;
  /** The picture of an app that the account has looked up; null if it has not, or not lately. */
  logoOf(accountId: number, app: { storeId: string; platform: "ios" | "android" }): Promise<string | null>;
}

export interface CampaignsDeps {
  pool: Pool;
  clock: Clock;
  jobs: Jobs;
  files: StoredFiles;
  /** Creatives of demo accounts need no moderation. */
  demo: boolean;
  appLookup: AppLookup;
  /** ISO 3166-1 alpha-2. */
  countryCodes: readonly string[];
  /** Names by ISO 3166-2 code. */
  regions: ReadonlyMap<string, string>;
  /** The platform's origin, which files name. */
  publicUrl: string;
  statistics: Pick<Statistics, "campaigns" | "turns" | "keptDays">;
  /** The figures of campaigns from the day `ds` to `de`; those without any are left out. */
  figuresOf(campaignIds: readonly number[], days: { ds: string; de: string }): Promise<ReadonlyMap<number, Figures>>;
}
