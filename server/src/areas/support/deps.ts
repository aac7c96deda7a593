import type { Pool } from "pg";
import type { Clock } from "../../platform/clock.ts";
import type { Throttle } from "../../platform/http/throttle.ts";
import type { Jobs } from "../../platform/jobs/index.ts";
import type { Mailer } from "../../platform/mail/index.ts";
import type { Settings } from "../../platform/settings.ts";
import type { MailSupport } from "./support-mails.ts";

export interface SupportDeps {
  pool: Pool;
  clock: Clock;
  mailer: Mailer;
  jobs: Jobs;
  settings: Pick<Settings, "operator" | "intercom">;
  /** The configured origin. */
  publicUrl: string;
}

export interface SupportDesk extends SupportDeps {
  mailSupport: MailSupport;
  throttle: Throttle;
}
