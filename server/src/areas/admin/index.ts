import type { Area } from "../../platform/area.ts";
import type { AdminDeps } from "./deps.ts";
import { ownerMails } from "./owner-mails.ts";
import { adminRoutes } from "./routes.ts";

/** The desk of those who run the platform: everybody's accounts and apps, what waits for moderation, who did what. */
export function adminArea(deps: AdminDeps): Area {
  const admin = { ...deps, tellOwner: ownerMails(deps) };
  return { name: "admin", routes: (app) => adminRoutes(app, admin) };
}
