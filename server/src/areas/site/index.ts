import type { Area } from "../../platform/area.ts";
import type { SiteDeps } from "./deps.ts";
import { siteRoutes } from "./routes.ts";

/** Facts about the installation that every page needs. */
export function siteArea(deps: SiteDeps): Area {
  return { name: "site", routes: (app) => siteRoutes(app, deps) };
}
