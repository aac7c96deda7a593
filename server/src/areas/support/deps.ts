import type { Pool, PoolClient } from "pg";
import type { Clock } from "../../platform/clock.ts";
import type { Throttle } from "../../platform/http/throttle.ts";
import type { Jobs } from "../../platform/jobs/index.ts";
import type { Mailer } from "../../platform/mail/index.ts";
import type { Settings } from "../../platform/settings.ts";

export interface SupportDeps {
  pool: Pool;
  clock: Clock;
  mailer: Mailer;
  jobs: Jobs;
  settings: Pick<Settings, "operator" | "intercom">;
  /** The configured origin. */
  publicUrl: string;
}

/** Mails a message to the operator, or its answer to the writer, once the transaction is committed. */
export type MailSupport = (client: PoolClient, task: { what: "question" | "answer"; uuid: string }) => Promise<void>;

export interface SupportDesk extends SupportDeps {
  mailSupport: MailSupport;
  throttle: Throttle;
}
