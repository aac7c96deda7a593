import type { Area } from "../../platform/area.ts";
import type { SiteDeps } from "./deps.ts";
import { siteRoutes } from "./routes.ts";

/** What every page needs to know of the installation. */
export function siteArea(deps: SiteDeps): Area {
  return { name: "site", routes: (app) => siteRoutes(app, deps) };
}
