import { type Reply, SOCIAL_SERVICES, robotsTxt, showcase, site, sitemapXml } from "@millrace/contract";
import type { FastifyRequest } from "fastify";
import type { Area } from "../../platform/area.ts";
import { serve } from "../../platform/http/serve.ts";
import type { Settings } from "../../platform/settings.ts";
import { type LandingDeps, type LandingParts, landingParts } from "./landing-parts.ts";
import { robots, sitemap } from "./search-engines.ts";
import { latestAuctions } from "./showcase.ts";

interface SiteDeps extends Omit<LandingDeps, "demo"> {
  settings: Pick<Settings, "operator" | "social" | "demo" | "revenueSharePpm">;
  /** The mailbox of a demo without a mail server, and whether this browser may open it; null if mails are sent. */
  mailboxFor(request: FastifyRequest): Promise<Reply<typeof site>["mailbox"]>;
}

/** For an hour: they change with a release or with the platform's address. */
const RARELY_CHANGES = "public, max-age=3600";

/** Facts about the installation that every page needs, the landing page's own, and what search engines read. */
export function siteArea({ settings, mailboxFor, ...deps }: SiteDeps): Area & { landing(): Promise<LandingParts> } {
  const { operator, social, demo, revenueSharePpm } = settings;
  const auctions = latestAuctions({ ...deps });
  return {
    name: "site",
    landing: landingParts({ ...deps, demo }),
    routes: (app) => {
      serve(app, site, async ({ request }) => ({
        operator: { name: operator.name, email: operator.email ?? null, address: operator.address ?? null },
        social: SOCIAL_SERVICES.filter((service) => social[service] !== undefined),
        demo,
        publisher_share: revenueSharePpm / 10_000,
        mailbox: await mailboxFor(request),
      }));
      serve(app, showcase, async ({ reply }) => {
        void reply.header("cache-control", "public, max-age=5");
        return { auctions: demo ? await auctions() : [] };
      });
      serve(app, robotsTxt, async ({ reply }) =>
        reply.type("text/plain; charset=utf-8").header("cache-control", RARELY_CHANGES).send(robots(deps.publicUrl)),
      );
      serve(app, sitemapXml, async ({ reply }) =>
        reply
          .type("application/xml; charset=utf-8")
          .header("cache-control", RARELY_CHANGES)
          .send(sitemap(deps.publicUrl)),
      );
    },
  };
}
