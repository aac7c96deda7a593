import { SOCIAL_SERVICES, site } from "@millrace/contract";
import type { FastifyInstance } from "fastify";
import { serve } from "../../platform/http/serve.ts";
import type { SiteDeps } from "./deps.ts";

export function siteRoutes(app: FastifyInstance, { settings, mailboxFor }: SiteDeps): void {
  const { operator, social, demo } = settings;
  serve(app, site, async ({ request }) => ({
    operator: { name: operator.name, email: operator.email ?? null, address: operator.address ?? null },
    social: SOCIAL_SERVICES.filter((service) => social[service] !== undefined),
    demo,
    mailbox: await mailboxFor(request),
  }));
}
