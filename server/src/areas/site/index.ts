import { type Reply, SOCIAL_SERVICES, site } from "@millrace/contract";
import type { FastifyRequest } from "fastify";
import type { Area } from "../../platform/area.ts";
import { serve } from "../../platform/http/serve.ts";
import type { Settings } from "../../platform/settings.ts";

interface SiteDeps {
  settings: Pick<Settings, "operator" | "social" | "demo" | "revenueSharePpm">;
  /** The mailbox of a demo without a mail server, and whether this browser may open it; null if mails are sent. */
  mailboxFor(request: FastifyRequest): Promise<Reply<typeof site>["mailbox"]>;
}

/** Facts about the installation that every page needs. */
export function siteArea({ settings: { operator, social, demo, revenueSharePpm }, mailboxFor }: SiteDeps): Area {
  return {
    name: "site",
    routes: (app) =>
      serve(app, site, async ({ request }) => ({
        operator: { name: operator.name, email: operator.email ?? null, address: operator.address ?? null },
        social: SOCIAL_SERVICES.filter((service) => social[service] !== undefined),
        demo,
        publisher_share: revenueSharePpm / 10_000,
        mailbox: await mailboxFor(request),
      })),
  };
}
