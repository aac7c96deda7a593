import type { Session } from "@millrace/contract";
import type { QueryClient } from "@tanstack/react-query";
import {
  type AnyRouter,
  Outlet,
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from "@tanstack/react-router";
import { LogoutPage, forgetLogin, loadLoginPage, mayBeLoggedIn, sessionQuery } from "../areas/accounts/index.ts";
import { LandingPage, NotFoundPage } from "../areas/site/index.ts";
import { isLoggedOut } from "../shared/call-api.ts";
import {
  type Search,
  parseSearch,
  readListAddress,
  readStatsAddress,
  stringifySearch,
  writeAddress,
} from "../shared/filters/address.ts";
import { PATHS } from "../shared/paths.ts";
import { FailedPage } from "./failed-page.tsx";
import { FocusTitle } from "./focus-title.tsx";
import { ShellPending } from "./shell/shell-pending.tsx";
import { Shell } from "./shell/shell.tsx";

interface Context {
  queryClient: QueryClient;
}

const rootRoute = createRootRouteWithContext<Context>()({
  component: () => (
    <>
      <FocusTitle />
      <Outlet />
    </>
  ),
  notFoundComponent: NotFoundPage,
});

const homeOf = ({ current_role }: Session) => (current_role === "campaign" ? PATHS.campaigns : PATHS.apps);

/** Somebody who is signed in has nothing to do at the doors. */
async function leaveWhenLoggedIn({ context: { queryClient } }: { context: Context }): Promise<void> {
  if (!mayBeLoggedIn(Date.now())) return;
  const session = await queryClient.query({ ...sessionQuery, staleTime: "static" }).catch(() => null);
  if (session) throw redirect({ to: homeOf(session), search: {}, replace: true });
  forgetLogin();
}

const landingRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: PATHS.landing,
  component: LandingPage,
  beforeLoad: leaveWhenLoggedIn,
});

const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: PATHS.login,
  component: lazyRouteComponent(loadLoginPage, "LoginPage"),
  beforeLoad: leaveWhenLoggedIn,
});

const logoutRoute = createRoute({ getParentRoute: () => rootRoute, path: PATHS.logout, component: LogoutPage });

/** Everything behind the sign-in: a logged-out visitor is sent to the landing page, which remembers where to. */
const privateRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "private",
  component: Shell,
  pendingComponent: ShellPending,
  errorComponent: FailedPage,
  beforeLoad: async ({ context: { queryClient }, location }) => {
    try {
      await queryClient.query({ ...sessionQuery, staleTime: "static" });
    } catch (failure) {
      if (!isLoggedOut(failure)) throw failure;
      forgetLogin();
      throw redirect({ to: PATHS.landing, search: { redirect_to: location.href }, replace: true });
    }
  },
});

const appsRoute = createRoute({
  getParentRoute: () => privateRoute,
  path: PATHS.apps,
  validateSearch: (search: Search): Search => writeAddress(readListAddress(search)),
  component: lazyRouteComponent(() => import("../areas/apps/index.ts"), "AppsPage"),
});

const appPerformanceRoute = createRoute({
  getParentRoute: () => privateRoute,
  path: PATHS.appPerformance,
  validateSearch: (search: Search): Search => writeAddress(readStatsAddress(search)),
  component: lazyRouteComponent(() => import("../areas/statistics/index.ts"), "AppPerformancePage"),
});

const campaignsRoute = createRoute({
  getParentRoute: () => privateRoute,
  path: PATHS.campaigns,
  component: lazyRouteComponent(() => import("../areas/campaigns/index.ts"), "CampaignsPage"),
});

const routeTree = rootRoute.addChildren([
  landingRoute,
  loginRoute,
  logoutRoute,
  privateRoute.addChildren([appsRoute, appPerformanceRoute, campaignsRoute]),
]);

export function makeRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    context: { queryClient },
    parseSearch,
    stringifySearch,
    defaultPreload: "intent",
    defaultPendingMs: 200,
    scrollRestoration: true,
    defaultNotFoundComponent: NotFoundPage,
    defaultErrorComponent: FailedPage,
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}

/** The session is over: nothing of it stays, and the sign-in leads back to this page. */
export function endSession(router: AnyRouter, queryClient: QueryClient): void {
  const { pathname, href } = router.state.location;
  const atTheDoors: string[] = [PATHS.landing, PATHS.login, PATHS.logout];
  forgetLogin();
  // Before the first page is there, its own guard decides.
  if (atTheDoors.includes(pathname) || router.state.resolvedLocation === undefined) return;
  queryClient.clear();
  void router.navigate({ to: PATHS.login, search: { redirect_to: href }, replace: true });
}
