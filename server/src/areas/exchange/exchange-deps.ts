import type { ClickHouseClient } from "@clickhouse/client";
import type { SITE_STATES } from "@millrace/contract";
import type { Pool } from "pg";
import type { Registry } from "prom-client";
import type { Clock } from "../../platform/clock.ts";
import type { FairQueue } from "../../platform/fair-queue.ts";
import type { AppReach } from "../../platform/http/caller.ts";
import type { Log } from "../../platform/log.ts";
import type { KeyReader } from "../demand-partners/index.ts";
import type { EventSink } from "../statistics/index.ts";
import type { RewardDeps } from "./beacons/take-reward.ts";
import type { BuyerDeps } from "./campaigns/campaign-buyer.ts";
import type { Geo } from "./facts/geo.ts";
import type { ExchangeLimits } from "./http/rate-limits.ts";
import type { ExchangeProcesses } from "./shared-state.ts";

export interface ExchangeDeps {
  pool: Pool;
  /** Reads the publishers' unsealed keys of apps. */
  partnerKeys: KeyReader;
  /** A read-only connection, because owners query stored traces. */
  clickhouse: ClickHouseClient;
  /** Awaited before stored traces are read, so that recent auctions are found too. */
  look(): Promise<void>;
  /** Reads of stored traces take turns by account. */
  turns: Pick<FairQueue, "run">;
  /** An app within reach, even one that never serves; the apps area knows it. */
  findApp(reach: AppReach, uuid: string): Promise<object | undefined>;
  /** What is known of the account's app-ads.txt; the area of the partners knows it. */
  siteState(accountId: number): Promise<(typeof SITE_STATES)[number]>;
  events: EventSink;
  /** Ids of events kept since a moment and of the places that they fill, including those not yet shipped to the store. */
  recentEventIds(sinceMs: number): AsyncIterable<string>;
  /** Where notices are stored until they are delivered. */
  noticesDir: string;
  clock: Clock;
  log: Log;
  /** Newest first: the first one signs, all of them verify. */
  secrets: readonly string[];
  settings: {
    publicUrl: string;
    /** The share of publishers without one of their own. */
    revenueSharePpm: number;
    /** The share of auctions whose trace is kept outside demo mode. */
    traceShare: number;
    demo: boolean;
    /** The operator's copy of the IAB's Global Vendor List. */
    vendorListPath?: string | undefined;
    /** Where the GDPR applies to a request that says nothing about it. */
    gdprCountries: ReadonlySet<string>;
    rateDays?: number;
  };
  limits?: Partial<ExchangeLimits>;
  /** The registry of the exchange's own metrics. */
  metrics?: Registry;
  /** The platform's deadline by default. */
  deadlineMs?: number;
  geo?: Geo;
  /** Several exchange processes, and what they share; without it, this is the only one. */
  processes?: ExchangeProcesses | undefined;
  /** Whose routes it has: those of devices and bidders, and those of the dashboard; all unless told otherwise. */
  serves?: { devices: boolean; dashboard: boolean };
  /** What campaigns buy with; without it the exchange buys for none. */
  campaigns?: Pick<BuyerDeps, "budgets" | "statistics" | "pacer" | "clickIds">;
  /** Tells publishers' servers of rewards; without it, nobody does. */
  rewards?: RewardDeps["rewards"];
}
