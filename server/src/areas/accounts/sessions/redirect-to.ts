import { PAGES, homePage } from "@millrace/contract";
import type { HomeAccount } from "../people-store.ts";

/** The home page after sign-in: the first page that the role and the account's sides open. */
export function homeOf({
  role,
  canApps,
  canCampaign,
  hasAllApps,
}: Pick<HomeAccount, "role" | "canApps" | "canCampaign" | "hasAllApps">): string {
  const roles = { can_apps: canApps, can_campaign: canCampaign };
  return PAGES[homePage({ role, roles, is_switched: false, has_all_apps: hasAllApps })].path;
}

/** Pages that would redirect a newly signed-in user in a circle, or sign them out again. */
const NO_TARGETS = Object.values(PAGES).flatMap(({ path, right }) =>
  right === "signedOut" || path === PAGES.logout.path ? [path] : [],
);

const HERE = "http://here.invalid";

/**
 * Returns `wanted` if it is a path of this origin, else `home`. Paths are resolved as browsers do, so `//evil`,
 * `/\evil` and `https:` are refused, and so are the auth pages.
 */
export function safeRedirect(target: string | undefined, home: string): string {
  if (target === undefined || !target.startsWith("/")) return home;
  if (!URL.canParse(target, HERE)) return home;
  const url = new URL(target, HERE);
  // `/.//evil.test` is one of our paths, but its normal form, `//evil.test`, is not.
  if (url.origin !== HERE || url.pathname.startsWith("//")) return home;
  if (NO_TARGETS.some((path) => path === url.pathname)) return home;
  return url.pathname + url.search + url.hash;
}
