import type { Pool } from "pg";
import type { Clock } from "../../platform/clock.ts";
import type { Statistics } from "../statistics/index.ts";

export interface AppsDeps {
  pool: Pool;
  clock: Clock;
  statistics: Statistics;
  /** What people call the providers, by id; the demand-partners area knows. */
  providerNames(): Promise<ReadonlyMap<string, string>>;
  /** The newest SDK, and where its changes and itself are found. */
  sdk: { latest: string; changelogUrl: string | null; updateUrl: string | null };
}
