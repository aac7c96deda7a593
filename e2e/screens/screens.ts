import { PAGES, type PageName } from "@millrace/contract";

/** Who looks at a screen: a visitor without a session, or one of the demo's users. */
export const VIEWERS = ["visitor", "publisher", "advertiser", "admin"] as const;
export type Viewer = (typeof VIEWERS)[number];

/** The first matching link on another screen. If set, `to` replaces the match, as in String.replace. */
export interface LinkedPlace {
  on: ScreenName;
  /** The filters of that screen. */
  query?: string;
  link: RegExp;
  to?: string;
  /** What the screen must show: until it does, another link is waited for. */
  shows?: string;
}

export interface Screen {
  viewer: Viewer;
  /** Its address, or where a link leads. */
  at: string | LinkedPlace;
  /** The number of days up to today that its figures cover, if it is not the screen's default. */
  days?: number;
}

/** Every page but `logout`, which redirects. */
export type ScreenName = Exclude<PageName, "logout">;

const at = (viewer: Viewer, page: ScreenName): Screen => ({ viewer, at: PAGES[page].path });
const linked = (viewer: Viewer, on: ScreenName, link: RegExp): Screen => ({ viewer, at: { on, link } });
/** A page of the first app in the list. */
const ofApp = (page: ScreenName, days?: number): Screen => ({
  viewer: "publisher",
  ...(days === undefined ? {} : { days }),
  at: { on: "apps", link: /^\/apps\/([0-9a-f-]{36})\/.*/, to: PAGES[page].path.replace("$uuid", "$1") },
});

/** Each screen stands below the one that links to it. */
export const SCREENS: Record<ScreenName, Screen> = {
  landing: at("visitor", "landing"),
  login: at("visitor", "login"),
  signup: at("visitor", "signup"),
  recovery: at("visitor", "recovery"),
  // Links of mails that are no longer valid.
  ticket: { viewer: "visitor", at: "/ticket/used" },
  ticketPass: { viewer: "visitor", at: "/ticket/used/pass" },
  unsubscribe: { viewer: "visitor", at: "/unsubscribe/used" },
  eula: at("visitor", "eula"),
  terms: at("visitor", "terms"),
  privacy: at("visitor", "privacy"),
  copyright: at("visitor", "copyright"),
  apps: at("publisher", "apps"),
  appPerformance: ofApp("appPerformance", 30),
  appRequests: ofApp("appRequests"),
  auction: {
    viewer: "publisher",
    // Sold to a bidder, mostly with several bids.
    at: {
      on: "appRequests",
      query: [
        "format=interstitial",
        ...["brand", "careless", "games", "performance", "steady"].map((id) => `winner=lab-${id}`),
      ].join("&"),
      link: /^\/auctions\/[0-9a-f-]{36}/,
      // Auctions of the history have no trace.
      shows: "Same decision",
    },
  },
  publisherPerformance: { ...at("publisher", "publisherPerformance"), days: 30 },
  appMediation: ofApp("appMediation"),
  appZones: ofApp("appZones"),
  appDsp: ofApp("appDsp"),
  appSettings: ofApp("appSettings"),
  appAds: at("publisher", "appAds"),
  inhouse: at("publisher", "inhouse"),
  inhouseAdd: at("publisher", "inhouseAdd"),
  inhouseEdit: linked("publisher", "inhouse", /^\/inhouse\/[0-9a-f-]{36}\/edit/),
  report: at("publisher", "report"),
  payment: at("publisher", "payment"),
  paymentHistory: at("publisher", "paymentHistory"),
  deductions: at("publisher", "deductions"),
  profile: at("publisher", "profile"),
  team: at("publisher", "team"),
  support: at("publisher", "support"),
  campaigns: at("advertiser", "campaigns"),
  campaignPerformance: { ...at("advertiser", "campaignPerformance"), days: 30 },
  campaignAdd: at("advertiser", "campaignAdd"),
  campaignEdit: linked("advertiser", "campaigns", /^\/campaign\/[0-9a-f-]{36}\/edit/),
  campaignBalance: at("advertiser", "campaignBalance"),
  admin: at("admin", "admin"),
  adminApps: at("admin", "adminApps"),
  adminUsers: at("admin", "adminUsers"),
  adminModeration: at("admin", "adminModeration"),
  adminCreatives: at("admin", "adminCreatives"),
  adminSupport: at("admin", "adminSupport"),
  adminNews: at("admin", "adminNews"),
  adminPayouts: at("admin", "adminPayouts"),
  adminInvoices: at("admin", "adminInvoices"),
  adminDeductions: at("admin", "adminDeductions"),
  adminBooks: at("admin", "adminBooks"),
  adminStatements: at("admin", "adminStatements"),
  adminStatementImport: at("admin", "adminStatementImport"),
  adminStatement: linked("admin", "adminStatements", /^\/admin\/statements\/[0-9a-f-]{36}/),
  adminPartners: at("admin", "adminPartners"),
  adminPartner: linked("admin", "adminPartners", /^\/admin\/partners\/[\w-]+/),
  adminAudit: at("admin", "adminAudit"),
};

export const screensOf = (viewer: Viewer): ScreenName[] =>
  (Object.keys(SCREENS) as ScreenName[]).filter((name) => SCREENS[name].viewer === viewer);
