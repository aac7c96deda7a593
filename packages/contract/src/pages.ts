import { type Holder, type RightName, mayUse } from "./access.ts";

/**
 * Every page of the web application: its path in the router's syntax, and its required right. `public` pages are open to
 * everybody; `signedOut` pages (landing and auth pages) redirect a signed-in user.
 */
export const PAGES = {
  landing: { path: "/", right: "signedOut" },
  login: { path: "/login", right: "signedOut" },
  signup: { path: "/signup", right: "signedOut" },
  recovery: { path: "/password-recovery", right: "signedOut" },
  ticket: { path: "/ticket/$ticket", right: "public" },
  ticketPass: { path: "/ticket/$ticket/pass", right: "public" },
  unsubscribe: { path: "/unsubscribe/$link", right: "public" },
  logout: { path: "/logout", right: "public" },
  eula: { path: "/eula", right: "public" },
  terms: { path: "/terms", right: "public" },
  privacy: { path: "/privacy", right: "public" },
  copyright: { path: "/copyright", right: "public" },
  apps: { path: "/apps", right: "apps.read" },
  appPerformance: { path: "/apps/$uuid/performance", right: "apps.read" },
  appRequests: { path: "/apps/$uuid/requests", right: "apps.read" },
  auction: { path: "/auctions/$id", right: "apps.read" },
  publisherPerformance: { path: "/apps/performance", right: "publisher.read" },
  appMediation: { path: "/apps/$uuid/mediation", right: "settings.manage" },
  appZones: { path: "/apps/$uuid/zones", right: "settings.manage" },
  appDsp: { path: "/apps/$uuid/dsp", right: "keys.manage" },
  appSettings: { path: "/apps/$uuid/settings", right: "instructions.read" },
  appAds: { path: "/apps/app-ads", right: "appAds.read" },
  inhouse: { path: "/inhouse", right: "inhouse.read" },
  inhouseAdd: { path: "/inhouse/add", right: "inhouse.manage" },
  inhouseEdit: { path: "/inhouse/$uuid/edit", right: "inhouse.manage" },
  campaigns: { path: "/campaign", right: "campaigns.read" },
  campaignPerformance: { path: "/campaign/performance", right: "campaigns.read" },
  campaignAdd: { path: "/campaign/add", right: "campaigns.manage" },
  campaignEdit: { path: "/campaign/$uuid/edit", right: "campaigns.manage" },
  report: { path: "/report", right: "report.read" },
  campaignBalance: { path: "/payment/balance", right: "campaignBalance.read" },
  payment: { path: "/payment", right: "payouts.read" },
  paymentHistory: { path: "/payment/cashouts_history", right: "payouts.read" },
  deductions: { path: "/payment/deductions", right: "payouts.read" },
  profile: { path: "/profile", right: "profile.manage" },
  /** The page explains itself to a manager without the right to run managers, which depends on the person. */
  team: { path: "/team", right: "managers.manage" },
  support: { path: "/support", right: "support.contact" },
  admin: { path: "/admin", right: "admin" },
  adminApps: { path: "/admin/apps", right: "admin" },
  adminUsers: { path: "/admin/users", right: "admin" },
  adminModeration: { path: "/admin/moderation", right: "admin" },
  adminCreatives: { path: "/admin/moderation/creatives", right: "admin" },
  adminSupport: { path: "/admin/support", right: "admin" },
  adminNews: { path: "/admin/news", right: "admin" },
  adminPayouts: { path: "/admin/payouts", right: "admin" },
  adminInvoices: { path: "/admin/invoices", right: "admin" },
  adminDeductions: { path: "/admin/deductions", right: "admin" },
  adminBooks: { path: "/admin/books", right: "admin" },
  adminStatements: { path: "/admin/statements", right: "admin" },
  adminStatementImport: { path: "/admin/statements/import", right: "admin" },
  adminStatement: { path: "/admin/statements/$uuid", right: "admin" },
  adminPartners: { path: "/admin/partners", right: "admin" },
  adminPartner: { path: "/admin/partners/$id", right: "admin" },
  adminAudit: { path: "/admin/audit", right: "admin" },
} as const satisfies Record<string, { path: string; right: RightName | "public" | "signedOut" }>;
export type PageName = keyof typeof PAGES;

/** Whether a signed-in user sees a page and its links. */
export function mayOpen(page: PageName, holder: Holder): boolean {
  const { right } = PAGES[page];
  return right === "public" || right === "signedOut" || mayUse(right, holder);
}

const HOMES = ["admin", "apps", "campaigns", "profile"] as const satisfies readonly PageName[];

/** A user's home page: an admin's own, else the preferred one, or else the first they may open. */
export function homePage(holder: Holder, preferred: (typeof HOMES)[number] = "apps") {
  return [HOMES[0], preferred, ...HOMES].find((page) => mayOpen(page, holder)) ?? "profile";
}
