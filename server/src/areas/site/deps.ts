import type { FastifyRequest } from "fastify";
import type { Pool } from "pg";
import type { Jobs } from "../../platform/jobs/index.ts";
import type { Mailer } from "../../platform/mail/index.ts";
import type { Settings } from "../../platform/settings.ts";

export interface SiteDeps {
  pool: Pool;
  mailer: Mailer;
  jobs: Jobs;
  settings: Pick<Settings, "operator" | "social" | "intercom" | "demo">;
  /** The configured origin. */
  publicUrl: string;
  /** Where whoever asks may read the mails that this platform keeps to itself; null where they may not, or mails go out. */
  mailboxFor(request: FastifyRequest): Promise<string | null>;
}
