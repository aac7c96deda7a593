import type { Area } from "../../platform/area.ts";
import { throttle } from "../../platform/http/throttle.ts";
import type { SiteDeps } from "./deps.ts";
import { siteRoutes } from "./routes.ts";
import { supportMails } from "./support-mails.ts";

export { CHAT_SOURCES } from "./chat-sources.ts";

/** Messages of a person to support. */
const messagesThrottle = () =>
  throttle({ tries: 5, windowSeconds: 600 }, "That were many messages. Please wait a little before the next one");

/** What every page needs to know of the installation, and the way to its support. */
export function siteArea(deps: SiteDeps): Area {
  const site = { ...deps, mailSupport: supportMails(deps), throttle: messagesThrottle() };
  return { name: "site", routes: (app) => siteRoutes(app, site) };
}
