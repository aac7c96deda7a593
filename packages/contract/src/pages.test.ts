import { expect, test } from "vitest";
import type { Holder, Role } from "./access.ts";
import { PAGES, type PageName, mayOpen } from "./pages.ts";

const holder = (role: Role, some: Partial<Holder> = {}): Holder => ({
  role,
  roles: { can_apps: true, can_campaign: true },
  is_switched: false,
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

/** Who sees which page: one that is added does not compile without a line here. */
const SEEN_BY: Record<PageName, readonly HolderName[]> = {
  landing: ALL,
  login: ALL,
  signup: ALL,
  recovery: ALL,
  ticket: ALL,
  ticketPass: ALL,
  logout: ALL,
  eula: ALL,
  terms: ALL,
  privacy: ALL,
  copyright: ALL,
  apps: PUBLISHERS,
  publisherPerformance: PUBLISHERS.filter((name) => name !== "SDEV"),
  appDsp: PUBLISHERS.filter((name) => name !== "GST"),
  appSettings: PUBLISHERS.filter((name) => name !== "GST"),
  appAds: PUBLISHERS,
  appPerformance: PUBLISHERS,
  campaigns: ["owner", "SUSR", "manager", "admin", "advertiser", "visitor"],
  profile: ALL,
  adminApps: ["admin"],
  adminUsers: ["admin"],
  adminModeration: ["admin"],
  adminAudit: ["admin"],
};

const pages = Object.keys(PAGES) as PageName[];

test.each(pages)("the page %s is seen by whom it is for, and by nobody else", (page) => {
  expect(ALL.filter((name) => mayOpen(page, HOLDERS[name]))).toEqual(SEEN_BY[page]);
});

test("no two pages have the same address", () => {
  const addresses = pages.map((page) => PAGES[page].path);
  expect(new Set(addresses).size).toBe(addresses.length);
});
