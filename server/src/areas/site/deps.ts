import type { Reply, site } from "@millrace/contract";
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
  /** The mailbox of a demo that sends no mails, and whether this browser may open it; null where mails go out. */
  mailboxFor(request: FastifyRequest): Promise<Reply<typeof site>["mailbox"]>;
}
