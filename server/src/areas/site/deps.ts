import type { Reply, site } from "@millrace/contract";
import type { FastifyRequest } from "fastify";
import type { Settings } from "../../platform/settings.ts";

export interface SiteDeps {
  settings: Pick<Settings, "operator" | "social" | "demo">;
  /** The mailbox of a demo without a mail server, and whether this browser may open it; null if mails are sent. */
  mailboxFor(request: FastifyRequest): Promise<Reply<typeof site>["mailbox"]>;
}
