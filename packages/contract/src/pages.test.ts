import { expect, test } from "vitest";
import type { Holder, Role } from "./access.ts";
import { PAGES, type PageName, homePage, mayOpen } from "./pages.ts";

const holder = (role: Role, some: Partial<Holder> = {}): Holder => ({
  role,
  roles: { can_apps: true, can_campaign: true },
  is_switched: false,
  has_all_apps: true,
  ...some,
});
const HOLDERS = {
  owner: holder("owner"),
  SUSR: holder("SUSR"),
  SDEV: holder("SDEV"),
  GST: holder("GST"),
  manager: holder("manager"),
  admin: holder("admin"),
  advertiser: holder("owner", { roles: { can_apps: false, can_campaign: true } }),
  publisher: holder("owner", { roles: { can_apps: true, can_campaign: false } }),
  visitor: holder("owner", { is_switched: true }),
} as const satisfies Record<string, Holder>;
type HolderName = keyof typeof HOLDERS;

const ALL = Object.keys(HOLDERS) as HolderName[];
const PUBLISHERS = ALL.filter((name) => name !== "advertiser");

/** The visitors of each page. A new page does not compile without a line here. */
const SEEN_BY: Record<PageName, readonly HolderName[]> = {
  landing: ALL,
  login: ALL,
  signup: ALL,
  recovery: ALL,
  ticket: ALL,
  ticketPass: ALL,
  unsubscribe: ALL,
  logout: ALL,
  eula: ALL,
  terms: ALL,
  privacy: ALL,
  copyright: ALL,
  apps: PUBLISHERS,
  publisherPerformance: PUBLISHERS.filter((name) => name !== "SDEV"),
  appMediation: PUBLISHERS.filter((name) => name !== "GST" && name !== "SDEV"),
  appZones: PUBLISHERS.filter((name) => name !== "GST" && name !== "SDEV"),
  appDsp: PUBLISHERS.filter((name) => name !== "GST" && name !== "SDEV"),
  appSettings: PUBLISHERS.filter((name) => name !== "GST"),
  appAds: PUBLISHERS.filter((name) => name !== "GST" && name !== "SDEV"),
  appPerformance: PUBLISHERS,
  appRequests: PUBLISHERS,
  auction: PUBLISHERS,
  inhouse: PUBLISHERS.filter((name) => name !== "GST" && name !== "SDEV"),
  inhouseAdd: PUBLISHERS.filter((name) => name !== "GST" && name !== "SDEV"),
  inhouseEdit: PUBLISHERS.filter((name) => name !== "GST" && name !== "SDEV"),
  report: PUBLISHERS.filter((name) => name !== "GST" && name !== "SDEV"),
  campaigns: ["owner", "SUSR", "GST", "manager", "admin", "advertiser", "visitor"],
  campaignPerformance: ["owner", "SUSR", "GST", "manager", "admin", "advertiser", "visitor"],
  payment: PUBLISHERS.filter((name) => name !== "GST" && name !== "SDEV"),
  paymentHistory: PUBLISHERS.filter((name) => name !== "GST" && name !== "SDEV"),
  campaignBalance: ["owner", "SUSR", "manager", "admin", "advertiser", "visitor"],
  deductions: PUBLISHERS.filter((name) => name !== "GST" && name !== "SDEV"),
  campaignAdd: ["owner", "SUSR", "manager", "admin", "advertiser", "visitor"],
  campaignEdit: ["owner", "SUSR", "manager", "admin", "advertiser", "visitor"],
  profile: ALL,
  team: ["owner", "manager", "advertiser", "publisher"],
  support: ALL,
  admin: ["admin"],
  adminApps: ["admin"],
  adminUsers: ["admin"],
  adminModeration: ["admin"],
  adminCreatives: ["admin"],
  adminSupport: ["admin"],
  adminNews: ["admin"],
  adminPayouts: ["admin"],
  adminInvoices: ["admin"],
  adminDeductions: ["admin"],
  adminBooks: ["admin"],
  adminStatements: ["admin"],
  adminStatementImport: ["admin"],
  adminStatement: ["admin"],
  adminPartners: ["admin"],
  adminPartner: ["admin"],
  adminAudit: ["admin"],
};

const pages = Object.keys(PAGES) as PageName[];

test.each(pages)("the page %s is open to its visitors and nobody else", (page) => {
  expect(ALL.filter((name) => mayOpen(page, HOLDERS[name]))).toEqual(SEEN_BY[page]);
});

test("every page has its own address", () => {
  const addresses = pages.map((page) => PAGES[page].path);
  expect(new Set(addresses).size).toBe(addresses.length);
});

test.each([
  ["a publisher", HOLDERS.publisher, "apps"],
  ["an advertiser", HOLDERS.advertiser, "campaigns"],
  ["an advertiser's guest", { ...HOLDERS.advertiser, role: "GST" }, "campaigns"],
  ["an advertiser's developer", { ...HOLDERS.advertiser, role: "SDEV" }, "profile"],
  ["an admin", HOLDERS.admin, "admin"],
  ["an admin without a side", holder("admin", { roles: { can_apps: false, can_campaign: false } }), "admin"],
] as const)("%s comes home to a page that they may open", (_who, who, page) => {
  expect(homePage(who)).toBe(page);
  expect(mayOpen(homePage(who), who)).toBe(true);
});

test("the last used side is the home page if the user may open it", () => {
  expect(homePage(HOLDERS.owner, "campaigns")).toBe("campaigns");
  expect(homePage(HOLDERS.publisher, "campaigns")).toBe("apps");
});
