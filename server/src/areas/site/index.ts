import type { Area } from "../../platform/area.ts";
import type { SiteDeps } from "./deps.ts";
import { siteRoutes } from "./routes.ts";
import { supportMails } from "./support-mails.ts";
import { supportThrottle } from "./support-throttle.ts";

export { CHAT_SOURCES } from "./chat-sources.ts";

/** What every page needs to know of the installation, and the way to its support. */
export function siteArea(deps: SiteDeps): Area {
  const site = { ...deps, mailSupport: supportMails(deps), throttle: supportThrottle() };
  return { name: "site", routes: (app) => siteRoutes(app, site) };
}
