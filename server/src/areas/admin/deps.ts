import type { AppIdentity } from "@millrace/contract";
import type { Pool, PoolClient } from "pg";
import type { Clock } from "../../platform/clock.ts";
import type { Jobs } from "../../platform/jobs/index.ts";
import type { Mailer } from "../../platform/mail/index.ts";

export interface AdminDeps {
  pool: Pool;
  clock: Clock;
  mailer: Mailer;
  jobs: Jobs;
  /** The configured origin; every link in a mail begins with it. */
  publicUrl: string;
  /** The sender of the mails. */
  operatorName: string;
  /** Apps as every screen shows them, by id; the apps area knows. */
  appIdentities(ids: readonly number[]): Promise<ReadonlyMap<number, AppIdentity>>;
}

/** An event that an owner is mailed about. */
export type OwnerNews =
  | { what: "refilled"; accountId: number; amountMicros: number; balanceMicros: number }
  | { what: "live" | "banned"; accountId: number; appId: number };

export interface Admin extends AdminDeps {
  /** Queues a mail to the account's owner, once the transaction that decided it commits. */
  tellOwner(client: PoolClient, news: OwnerNews): Promise<void>;
}
