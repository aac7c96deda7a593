import type { Pool } from "pg";
import type { Clock } from "../../platform/clock.ts";
import type { Jobs } from "../../platform/jobs/index.ts";
import type { Mailer } from "../../platform/mail/index.ts";
import type { UnsubscribeLinks } from "./unsubscribe-links.ts";

export interface NewsDeps {
  pool: Pool;
  clock: Clock;
  mailer: Pick<Mailer, "send">;
  jobs: Jobs;
  /** The platform's secrets, newest first. They sign unsubscribe links. */
  secrets: readonly string[];
  /** The configured origin; every link in a mail begins with it. */
  publicUrl: string;
  operatorName: string;
}

export interface News extends NewsDeps {
  links: UnsubscribeLinks;
}
