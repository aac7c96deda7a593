import type { AppIdentity } from "@millrace/contract";
import type { ClickHouseClient } from "@clickhouse/client";
import type { Pool, PoolClient } from "pg";
import type { Clock } from "../../platform/clock.ts";
import type { Jobs } from "../../platform/jobs/index.ts";
import type { Mailer } from "../../platform/mail/index.ts";
import type { CheckDeps } from "../payments/index.ts";

export interface AdminDeps extends Omit<CheckDeps, "pool" | "clock"> {
  pool: Pool;
  clock: Clock;
  mailer: Mailer;
  jobs: Jobs;
  /** The configured origin; every link in a mail begins with it. */
  publicUrl: string;
  /** The sender of the mails. */
  operatorName: string;
  /** Queries of the analytical store that read all accounts. */
  clickhouse: ClickHouseClient;
  /** Resolves once the rows appended so far can be read, or after a moment. */
  look(): Promise<void>;
  /** What the journal holds and the analytical store does not have yet. */
  backlog(): { segments: number; bytes: number };
  /** What the process has counted since it started. */
  /** The share of publishers without one of their own. */
  revenueSharePpm: number;
  /** Books the days that are over and compares them with their events. */
  checkBooks(): Promise<void>;
  /** Apps as every screen shows them, by id; the apps area knows. */
  appIdentities(ids: readonly number[]): Promise<ReadonlyMap<number, AppIdentity>>;
}

/** An event that an owner is mailed about. */
export type OwnerNews =
  | { what: "refilled"; accountId: number; amountMicros: number; balanceMicros: number; reason: string }
  | { what: "refill_taken_back"; accountId: number; amountMicros: number; balanceMicros: number; reason: string }
  | { what: "credited"; accountId: number; amountMicros: number; balanceMicros: number; reason: string }
  | {
      what: "adjusted";
      accountId: number;
      kind: "bonus" | "correction";
      amountMicros: number;
      balanceMicros: number;
      reason: string;
    }
  | { what: "share_set"; accountId: number; from: string; sharePpm: number; formerPpm: number; reason: string }
  | { what: "deduction_noted" | "deduction_upheld" | "deduction_reversed"; accountId: number; uuid: string }
  | { what: "live" | "banned"; accountId: number; appId: number }
  | { what: "creative_approved" | "creative_blocked"; accountId: number; creativeId: number };

export interface Admin extends AdminDeps {
  /** Queues a mail to the account's owner, once the transaction that decided it commits. */
  tellOwner(client: PoolClient, news: OwnerNews): Promise<void>;
}
