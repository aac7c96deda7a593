import type { PageName } from "@millrace/contract";
import type { QueryClient } from "@tanstack/react-query";
import { createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import { loadProfilePage, loadTeamPage } from "../areas/accounts/index.ts";
import {
  loadAppAdsPage,
  loadAppsPage,
  loadDspPage,
  loadMediationPage,
  loadSettingsPage,
  loadZonesPage,
} from "../areas/apps/index.ts";
import { loadAuctionPage, loadRequestsPage, readAuctionAddress, readRequestsAddress } from "../areas/auctions/index.ts";
import {
  loadAddCampaign,
  loadAddInhouse,
  loadCampaignsPage,
  loadEditCampaign,
  loadEditInhouse,
  loadInhousePage,
  readCampaignsAddress,
  writeCampaignsAddress,
} from "../areas/campaigns/index.ts";
import { moneyPages, readReportAddress } from "../areas/payments/index.ts";
import {
  loadAppPage,
  loadCampaignPage,
  loadPublisherPage,
  readCampaignStatsAddress,
  writeCampaignStatsAddress,
} from "../areas/statistics/index.ts";
import { loadSupportPage } from "../areas/support/index.ts";
import type { Prefetch } from "../shared/prefetch.ts";
import {
  type Search,
  parseSearch,
  readListAddress,
  readPublisherAddress,
  readStatsAddress,
  stringifySearch,
  writeAddress,
} from "../shared/filters/address.ts";
import { PATHS } from "../shared/paths.ts";
import { FailedPage } from "./failed-page.tsx";
import { redirectOldTab, requireLogin, requireRight } from "./guards.ts";
import { ShellPending } from "./shell/shell-pending.tsx";
import { MissingPage } from "./missing-page.tsx";
import { historyOfDocuments } from "./landing.tsx";
import { authPages, landingRoute, legalPages, rootRoute } from "./public-routes.tsx";
import { Shell } from "./shell/shell.tsx";

const PRIVATE = "private";

const privateRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: PRIVATE,
  component: Shell,
  pendingComponent: ShellPending,
  errorComponent: FailedPage,
  beforeLoad: requireLogin,
});

/** A page for signed-in users, and the right it requires. */
const privatePage = <const P extends PageName>(page: P) => ({
  getParentRoute: () => privateRoute,
  path: PATHS[page],
  beforeLoad: requireRight(page),
});

const loadAdmin = () => import("../areas/admin/index.ts");

const privatePages = [
  createRoute({
    ...privatePage("apps"),
    staticData: { loadPage: loadAppsPage },
    validateSearch: (search: Search): Search => writeAddress(readListAddress(search)),
    component: lazyRouteComponent(loadAppsPage, "AppsPage"),
  }),
  createRoute({
    ...privatePage("appSettings"),
    beforeLoad: (args) => {
      requireRight("appSettings")(args);
      redirectOldTab(args);
    },
    component: lazyRouteComponent(loadSettingsPage, "AppSettingsPage"),
  }),
  createRoute({ ...privatePage("appMediation"), component: lazyRouteComponent(loadMediationPage, "AppMediationPage") }),
  createRoute({ ...privatePage("appZones"), component: lazyRouteComponent(loadZonesPage, "AppZonesPage") }),
  createRoute({ ...privatePage("appDsp"), component: lazyRouteComponent(loadDspPage, "AppDspPage") }),
  createRoute({ ...privatePage("appAds"), component: lazyRouteComponent(loadAppAdsPage, "AppAdsPage") }),
  createRoute({
    ...privatePage("appPerformance"),
    staticData: { loadPage: loadAppPage },
    validateSearch: (search: Search): Search => writeAddress(readStatsAddress(search)),
    component: lazyRouteComponent(loadAppPage, "AppPerformancePage"),
  }),
  createRoute({
    ...privatePage("appRequests"),
    validateSearch: (search: Search): Search => ({ ...readRequestsAddress(search) }),
    component: lazyRouteComponent(loadRequestsPage, "RequestsPage"),
  }),
  createRoute({
    ...privatePage("auction"),
    validateSearch: (search: Search): Search => ({ ...readAuctionAddress(search) }),
    component: lazyRouteComponent(loadAuctionPage, "AuctionPage"),
  }),
  createRoute({
    ...privatePage("publisherPerformance"),
    staticData: { loadPage: loadPublisherPage },
    validateSearch: (search: Search): Search => writeAddress(readPublisherAddress(search)),
    component: lazyRouteComponent(loadPublisherPage, "PublisherPerformancePage"),
  }),
  createRoute({
    ...privatePage("inhouse"),
    staticData: { loadPage: loadInhousePage },
    validateSearch: (search: Search): Search => writeCampaignsAddress(readCampaignsAddress(search)),
    component: lazyRouteComponent(loadInhousePage, "InhousePage"),
  }),
  createRoute({ ...privatePage("inhouseAdd"), component: lazyRouteComponent(loadAddInhouse, "AddInhousePage") }),
  createRoute({ ...privatePage("inhouseEdit"), component: lazyRouteComponent(loadEditInhouse, "EditInhousePage") }),
  createRoute({
    ...privatePage("campaigns"),
    staticData: { loadPage: loadCampaignsPage },
    validateSearch: (search: Search): Search => writeCampaignsAddress(readCampaignsAddress(search)),
    component: lazyRouteComponent(loadCampaignsPage, "CampaignsPage"),
  }),
  createRoute({
    ...privatePage("campaignPerformance"),
    staticData: { loadPage: loadCampaignPage },
    validateSearch: (search: Search): Search => writeCampaignStatsAddress(readCampaignStatsAddress(search)),
    component: lazyRouteComponent(loadCampaignPage, "CampaignPerformancePage"),
  }),
  createRoute({ ...privatePage("campaignAdd"), component: lazyRouteComponent(loadAddCampaign, "AddCampaignPage") }),
  createRoute({ ...privatePage("campaignEdit"), component: lazyRouteComponent(loadEditCampaign, "EditCampaignPage") }),
  createRoute({
    ...privatePage("report"),
    staticData: { loadPage: moneyPages.report },
    validateSearch: (search: Search): Search => ({ ...readReportAddress(search) }),
    component: lazyRouteComponent(moneyPages.report, "ReportPage"),
  }),
  createRoute({ ...privatePage("campaignBalance"), component: lazyRouteComponent(moneyPages.balance, "BalancePage") }),
  createRoute({ ...privatePage("payment"), component: lazyRouteComponent(moneyPages.payment, "PaymentPage") }),
  createRoute({ ...privatePage("paymentHistory"), component: lazyRouteComponent(moneyPages.cashouts, "CashoutsPage") }),
  createRoute({ ...privatePage("deductions"), component: lazyRouteComponent(moneyPages.deductions, "DeductionsPage") }),
  createRoute({ ...privatePage("profile"), component: lazyRouteComponent(loadProfilePage, "ProfilePage") }),
  createRoute({ ...privatePage("team"), component: lazyRouteComponent(loadTeamPage, "TeamPage") }),
  createRoute({ ...privatePage("admin"), component: lazyRouteComponent(loadAdmin, "AdminPlatformPage") }),
  createRoute({ ...privatePage("adminApps"), component: lazyRouteComponent(loadAdmin, "AdminAppsPage") }),
  createRoute({ ...privatePage("adminUsers"), component: lazyRouteComponent(loadAdmin, "AdminUsersPage") }),
  createRoute({ ...privatePage("adminModeration"), component: lazyRouteComponent(loadAdmin, "AdminModerationPage") }),
  createRoute({ ...privatePage("adminCreatives"), component: lazyRouteComponent(loadAdmin, "AdminCreativesPage") }),
  createRoute({ ...privatePage("support"), component: lazyRouteComponent(loadSupportPage, "SupportPage") }),
  createRoute({ ...privatePage("adminSupport"), component: lazyRouteComponent(loadAdmin, "AdminSupportPage") }),
  createRoute({ ...privatePage("adminNews"), component: lazyRouteComponent(loadAdmin, "AdminNewsPage") }),
  createRoute({ ...privatePage("adminPayouts"), component: lazyRouteComponent(loadAdmin, "AdminPayoutsPage") }),
  createRoute({ ...privatePage("adminInvoices"), component: lazyRouteComponent(loadAdmin, "AdminInvoicesPage") }),
  createRoute({ ...privatePage("adminDeductions"), component: lazyRouteComponent(loadAdmin, "AdminDeductionsPage") }),
  createRoute({ ...privatePage("adminBooks"), component: lazyRouteComponent(loadAdmin, "AdminBooksPage") }),
  createRoute({ ...privatePage("adminStatements"), component: lazyRouteComponent(loadAdmin, "AdminStatementsPage") }),
  createRoute({
    ...privatePage("adminStatementImport"),
    component: lazyRouteComponent(loadAdmin, "AdminStatementImportPage"),
  }),
  createRoute({ ...privatePage("adminStatement"), component: lazyRouteComponent(loadAdmin, "AdminStatementPage") }),
  createRoute({ ...privatePage("adminPartners"), component: lazyRouteComponent(loadAdmin, "AdminPartnersPage") }),
  createRoute({ ...privatePage("adminPartner"), component: lazyRouteComponent(loadAdmin, "AdminPartnerPage") }),
  createRoute({ ...privatePage("adminAudit"), component: lazyRouteComponent(loadAdmin, "AdminAuditPage") }),
] as const;

const routeTree = rootRoute.addChildren([
  landingRoute,
  ...authPages,
  ...legalPages,
  privateRoute.addChildren([...privatePages]),
]);

export function makeRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    history: historyOfDocuments(),
    context: { queryClient },
    parseSearch,
    stringifySearch,
    defaultPreload: "intent",
    defaultPendingMs: 200,
    scrollRestoration: true,
    defaultNotFoundComponent: MissingPage,
    defaultErrorComponent: FailedPage,
  });
}

export type Router = ReturnType<typeof makeRouter>;

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
  interface StaticDataRouteOption {
    /** Loads a page that can prefetch its first data. */
    loadPage?: () => Promise<{ prefetch: Prefetch }>;
  }
}

/** Whether a path leads to a page behind the sign-in. */
export const isPrivate = (router: Router, pathname: string): boolean =>
  router.getMatchedRoutes(pathname)[0].some(({ id }) => id === `/${PRIVATE}`);
