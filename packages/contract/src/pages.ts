import { type Holder, type RightName, mayUse } from "./access.ts";

/**
 * Every page of the web application: its address, as the router takes it, and the right it asks for. `public` is for
 * everybody, `door` for those who are not signed in: who is, is sent on.
 */
export const PAGES = {
  landing: { path: "/", right: "door" },
  login: { path: "/login", right: "door" },
  signup: { path: "/signup", right: "door" },
  recovery: { path: "/password-recovery", right: "door" },
  ticket: { path: "/ticket/$ticket", right: "public" },
  ticketPass: { path: "/ticket/$ticket/pass", right: "public" },
  logout: { path: "/logout", right: "public" },
  eula: { path: "/eula", right: "public" },
  terms: { path: "/terms", right: "public" },
  privacy: { path: "/privacy", right: "public" },
  copyright: { path: "/copyright", right: "public" },
  apps: { path: "/apps", right: "readApps" },
  appPerformance: { path: "/apps/$uuid/performance", right: "readApps" },
  publisherPerformance: { path: "/apps/performance", right: "readPublisher" },
  appDsp: { path: "/apps/$uuid/dsp", right: "readKeys" },
  appSettings: { path: "/apps/$uuid/settings", right: "changeApps" },
  appAds: { path: "/apps/app-ads", right: "readApps" },
  campaigns: { path: "/campaign", right: "readCampaigns" },
  profile: { path: "/profile", right: "ownProfile" },
  adminApps: { path: "/admin/apps", right: "adminDesk" },
  adminUsers: { path: "/admin/users", right: "adminDesk" },
  adminModeration: { path: "/admin/moderation", right: "adminDesk" },
  adminAudit: { path: "/admin/audit", right: "adminDesk" },
} as const satisfies Record<string, { path: string; right: RightName | "public" | "door" }>;
export type PageName = keyof typeof PAGES;

/** Whether somebody who is signed in sees a page and its links. */
export function mayOpen(page: PageName, holder: Holder): boolean {
  const { right } = PAGES[page];
  return right === "public" || right === "door" || mayUse(right, holder);
}
