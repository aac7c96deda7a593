import { PAGES, type Role, homePage } from "@millrace/contract";

/** Where a signed-in person goes first: to the first page that their role and the account's sides open. */
export function homeOf({ role, canApps, canCampaign }: { role: Role; canApps: boolean; canCampaign: boolean }): string {
  const roles = { can_apps: canApps, can_campaign: canCampaign };
  return PAGES[homePage({ role, roles, is_switched: false })].path;
}

/** Pages that would send somebody who has just signed in round in a circle, or out again. */
const ENTRANCES = Object.values(PAGES).flatMap(({ path, right }) =>
  right === "door" || path === PAGES.logout.path ? [path] : [],
);

const HERE = "http://here.invalid";

/**
 * `wanted` when it is a path of this origin, else `home`. A path is what a browser would resolve to our own origin, so
 * `//evil`, `/\evil` and `https:` are none; nor are the auth pages themselves.
 */
export function safeRedirect(wanted: string | undefined, home: string): string {
  if (wanted === undefined || !wanted.startsWith("/")) return home;
  if (!URL.canParse(wanted, HERE)) return home;
  const url = new URL(wanted, HERE);
  // `/.//evil.test` is a path of ours whose normal form, `//evil.test`, is none.
  if (url.origin !== HERE || url.pathname.startsWith("//")) return home;
  if (ENTRANCES.some((path) => path === url.pathname)) return home;
  return url.pathname + url.search + url.hash;
}
