import type { PageName } from "@millrace/contract";
import type { QueryClient } from "@tanstack/react-query";
import { Outlet, createRootRouteWithContext, createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { LogoutPage, loadAuthPages, loadTicketPages, loadUnsubscribePage } from "../areas/accounts/index.ts";
import { loadLegalPages } from "../areas/site/index.ts";
import { PATHS } from "../shared/paths.ts";
import { FocusTitle } from "./focus-title.tsx";
import { redirectSignedIn, toPassVariant } from "./guards.ts";
import { Landing } from "./landing.tsx";
import { MissingPage } from "./missing-page.tsx";

interface Context {
  queryClient: QueryClient;
}

export const rootRoute = createRootRouteWithContext<Context>()({
  component: () => (
    <>
      <FocusTitle />
      <Outlet />
    </>
  ),
  notFoundComponent: MissingPage,
});

const root = () => rootRoute;

export const landingRoute = createRoute({
  getParentRoute: root,
  path: PATHS.landing,
  component: Landing,
  beforeLoad: redirectSignedIn,
});

export const authPages = [
  createRoute({
    getParentRoute: root,
    path: PATHS.login,
    component: lazyRouteComponent(loadAuthPages, "LoginPage"),
    beforeLoad: redirectSignedIn,
  }),
  createRoute({
    getParentRoute: root,
    path: PATHS.signup,
    component: lazyRouteComponent(loadAuthPages, "SignUpPage"),
    beforeLoad: redirectSignedIn,
  }),
  createRoute({
    getParentRoute: root,
    path: PATHS.recovery,
    component: lazyRouteComponent(loadAuthPages, "RecoveryPage"),
    beforeLoad: redirectSignedIn,
  }),
  createRoute({
    getParentRoute: root,
    path: PATHS.ticket,
    component: lazyRouteComponent(loadTicketPages, "TicketPage"),
    beforeLoad: toPassVariant,
  }),
  createRoute({
    getParentRoute: root,
    path: PATHS.ticketPass,
    component: lazyRouteComponent(loadTicketPages, "TicketPassPage"),
  }),
  createRoute({
    getParentRoute: root,
    path: PATHS.unsubscribe,
    component: lazyRouteComponent(loadUnsubscribePage, "UnsubscribePage"),
  }),
  createRoute({ getParentRoute: root, path: PATHS.logout, component: LogoutPage }),
] as const;

const legalPage = <const P extends PageName>(page: P) => ({ getParentRoute: root, path: PATHS[page] });

export const legalPages = [
  createRoute({ ...legalPage("eula"), component: lazyRouteComponent(loadLegalPages, "EulaPage") }),
  createRoute({ ...legalPage("terms"), component: lazyRouteComponent(loadLegalPages, "TermsPage") }),
  createRoute({ ...legalPage("privacy"), component: lazyRouteComponent(loadLegalPages, "PrivacyPage") }),
  createRoute({ ...legalPage("copyright"), component: lazyRouteComponent(loadLegalPages, "CopyrightPage") }),
] as const;
