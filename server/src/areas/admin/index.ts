import type { Area } from "../../platform/area.ts";
import type { AdminDeps } from "./deps.ts";
import { defineModerationMails } from "./moderation-mails.ts";
import { ownerMails } from "./owner-mails.ts";
import { adminRoutes } from "./routes.ts";

/** The admin area: accounts and apps of all owners, the moderation queue, and the audit log. */
export function adminArea(deps: AdminDeps): Area {
  defineModerationMails(deps);
  const admin = { ...deps, tellOwner: ownerMails(deps) };
  return { name: "admin", routes: (app) => adminRoutes(app, admin) };
}
